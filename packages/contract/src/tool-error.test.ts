import { describe, expect, it } from "vitest";
import { ToolError } from "./tool-error.ts";

describe("ToolError", () => {
  it("carries its code, its sentence and what else is known", () => {
    const cause = new Error("disk");
    const error = new ToolError("not-found", "There is no such file.", {
      cause,
      absolutePath: "/w/a",
      partial: "half",
    });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: "ToolError",
      code: "not-found",
      message: "There is no such file.",
      absolutePath: "/w/a",
      partial: "half",
      cause,
    });
  });

  it("has no cause of its own making", () => {
    expect(Object.hasOwn(new ToolError("failed", "No."), "cause")).toBe(false);
  });

  it("is recognised across copies of the package", async () => {
    const query = "./tool-error.ts?copy";
    const copy = (await import(/* @vite-ignore */ query)) as { ToolError: typeof ToolError };
    expect(copy.ToolError).not.toBe(ToolError);
    const foreign = new copy.ToolError("quota", "Used up.");
    expect(foreign).not.toBeInstanceOf(ToolError);
    expect(ToolError.isInstance(foreign)).toBe(true);
    expect(copy.ToolError.isInstance(new ToolError("quota", "Used up."))).toBe(true);
  });

  it("hides its brand from enumeration, so that logs and JSON stay clean", () => {
    const error = new ToolError("failed", "No.");
    expect(Object.getOwnPropertySymbols({ ...error })).toEqual([]);
  });

  it.each([
    undefined,
    null,
    "ToolError",
    new Error("failed"),
    { name: "ToolError", code: "failed", message: "No." },
  ])("does not recognize %o as its own", (value) => {
    expect(ToolError.isInstance(value)).toBe(false);
  });
});
