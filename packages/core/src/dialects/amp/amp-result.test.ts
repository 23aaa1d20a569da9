import { errorCodes, type ToolResult } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { fromAmpResult, toAmpResult } from "./amp-result.ts";

const failure = (error_code: string): ToolResult =>
  ({
    type: "error",
    error_text: "No.",
    metadata: { duration_ms: 0, error_code, absolute_path: "/w/a" },
  }) as ToolResult;

describe("toAmpResult", () => {
  it("says done, with the result and the files that changed", () => {
    const metadata = { duration_ms: 3, track_files: ["/w/a"] };
    expect(toAmpResult({ type: "output", data: { diff: "" }, metadata })).toEqual({
      status: "done",
      result: { diff: "" },
      trackFiles: ["/w/a"],
    });
  });

  it("leaves out what there is not", () => {
    expect(toAmpResult({ type: "output", data: "x", metadata: { duration_ms: 3 } })).toEqual({
      status: "done",
      result: "x",
    });
  });

  it("has a code of its own for secret files", () => {
    expect(toAmpResult(failure("secret-file"))).toEqual({
      status: "error",
      error: { message: "No.", errorCode: "reading-secret-file", absolutePath: "/w/a" },
    });
  });

  it.each([
    ["cancelled", "cancelled"],
    ["rejected-by-user", "rejected-by-user"],
    ["denied", "rejected-by-user"],
    ["headless", "rejected-by-user"],
    ["timeout", "error"],
  ])("reports %s as %s", (code, status) => {
    expect(toAmpResult(failure(code))).toMatchObject({ status });
  });
});

describe("fromAmpResult", () => {
  it("brings back every error and its code", () => {
    for (const code of Object.keys(errorCodes)) {
      expect(fromAmpResult(toAmpResult(failure(code)))).toEqual(failure(code));
    }
  });

  it("brings back an output and its files", () => {
    const metadata = { duration_ms: 0, track_files: ["/w/a"] };
    const output: ToolResult = { type: "output", data: [1], metadata };
    expect(fromAmpResult(toAmpResult(output))).toEqual(output);
  });

  it.each([
    ["error", undefined, "failed"],
    ["error", "no-code-of-ours", "failed"],
    ["cancelled", undefined, "cancelled"],
    ["rejected-by-user", undefined, "rejected-by-user"],
  ] as const)("takes %s with the code %s as %s", (status, errorCode, code) => {
    const error = { message: "No.", ...(errorCode && { errorCode }) };
    expect(fromAmpResult({ status, error })).toMatchObject({ metadata: { error_code: code } });
  });
});
