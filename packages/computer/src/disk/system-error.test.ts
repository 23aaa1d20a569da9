import { ToolError } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { fromSystemError, isSystemError, makeSystemError } from "./system-error.ts";

const fail = (code: string) => makeSystemError(code, "open");

describe("fromSystemError", () => {
  it.each([
    ["ENOENT", "not-found"],
    ["EACCES", "failed"],
    ["EPERM", "failed"],
    ["EROFS", "failed"],
    ["EIO", "failed"],
    ["EISDIR", "failed"],
    ["ENOTDIR", "failed"],
    ["ELOOP", "failed"],
    ["ENXIO", "failed"],
    ["ENOSPC", "quota"],
    ["EDQUOT", "quota"],
    ["EMFILE", "unavailable"],
    ["ENAMETOOLONG", "invalid-arguments"],
    ["EEXIST", "conflict"],
    ["ENOTEMPTY", "conflict"],
    ["ESTALE", "conflict"],
    ["EUNKNOWN", "failed"],
  ])("gives %s the code %s and names the path", (code, expected) => {
    const error = fromSystemError(fail(code), "/w/a.txt");
    expect(ToolError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ code: expected, absolutePath: "/w/a.txt" });
    expect(error.message).toContain("/w/a.txt");
  });

  it("tells bugs from failures of the system", () => {
    expect(isSystemError(fail("EIO"))).toBe(true);
    expect(isSystemError(new TypeError("bug"))).toBe(false);
  });
});
