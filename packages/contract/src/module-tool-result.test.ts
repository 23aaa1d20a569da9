import { describe, expect, it } from "vitest";
import type { ToolResult } from "./envelope.ts";
import {
  fromModuleToolResult,
  isModuleToolResult,
  toModuleToolResult,
} from "./module-tool-result.ts";
import { ToolError } from "./tool-error.ts";

function thrownBy(work: () => unknown): ToolError {
  try {
    work();
  } catch (error) {
    if (ToolError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}

describe("isModuleToolResult", () => {
  it.each([
    ["a success", { success: true, output: "x", error: null }, true],
    ["a success without an output", { success: true }, true],
    [
      "a failure with facts of its own",
      { success: false, error: { message: "no" }, code: 3 },
      true,
    ],
    ["data that says of its success among other things", { success: true, rows: 3 }, false],
    ["data that counts its successes", { success: 2 }, false],
    ["a text", "success", false],
    ["nothing", null, false],
  ])("knows what %s is", (_, value, expected) => {
    expect(isModuleToolResult(value)).toBe(expected);
  });
});

describe("fromModuleToolResult", () => {
  it("takes out the output, and null where there is none", () => {
    expect(fromModuleToolResult({ success: true, output: { rows: 3 } })).toEqual({ rows: 3 });
    expect(fromModuleToolResult({ success: true })).toBe(null);
  });

  it("throws what went wrong, with its kind", () => {
    const error = { message: "required_param is required", type: "ValueError" };
    expect(thrownBy(() => fromModuleToolResult({ success: false, error }))).toMatchObject({
      code: "failed",
      message: "required_param is required",
      details: { type: "ValueError" },
      partial: undefined,
    });
  });

  it("keeps the output of a failure as what there was so far", () => {
    const failed = { success: false, output: { rows: 1 }, error: { message: "no" } };
    expect(thrownBy(() => fromModuleToolResult(failed)).partial).toBe('{"rows":1}');
  });

  it.each([
    ["nothing", null, "The tool failed without giving a reason."],
    ["a plain text", "out of paper", "out of paper"],
    ["facts without a message", { code: 3 }, 'without giving a reason. It returned {"code":3}.'],
  ])("makes a sentence of %s", (_, error, message) => {
    const failed = { success: false, error: error as never };
    expect(thrownBy(() => fromModuleToolResult(failed)).message).toContain(message);
  });
});

describe("toModuleToolResult", () => {
  it("loses nothing that the envelope can carry, there and back", () => {
    const output: ToolResult = { type: "output", data: { a: 1 }, metadata: { duration_ms: 0 } };
    const there = toModuleToolResult(output);
    expect(there).toEqual({ success: true, output: { a: 1 }, error: null });
    expect(fromModuleToolResult(there)).toEqual(output.data);
    const failure = toModuleToolResult({
      type: "error",
      error_text: "There is no a.txt.",
      metadata: { duration_ms: 0, error_code: "not-found", absolute_path: "/w/a.txt" },
    });
    expect(failure).toEqual({
      success: false,
      output: null,
      error: { message: "There is no a.txt.", type: "not-found", absolute_path: "/w/a.txt" },
    });
    const raised = { duration_ms: 0, error_code: "failed", error_type: "ValueError" } as const;
    expect(toModuleToolResult({ type: "error", error_text: "no", metadata: raised }).error).toEqual(
      { message: "no", type: "ValueError" },
    );
    expect(thrownBy(() => fromModuleToolResult(failure))).toMatchObject({
      code: "not-found",
      message: "There is no a.txt.",
      absolutePath: "/w/a.txt",
    });
  });
});
