import { posix } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolvePath } from "./resolve-path.ts";

const origin = { base: "/w/p", home: "/home/u" };

describe("resolvePath", () => {
  it.each([
    ["a", "/w/p/a"],
    ["", "/w/p"],
    [".", "/w/p"],
    ["../x", "/w/x"],
    ["../../../..", "/"],
    ["~", "/home/u"],
    ["~/x/", "/home/u/x"],
    ["~x", "/w/p/~x"],
    ["a/~", "/w/p/a/~"],
    ["//a///b", "/a/b"],
    ["/a/./b/..", "/a"],
    ["...", "/w/p/..."],
  ])("takes %j to %s", (path, expected) => {
    expect(resolvePath(path, origin)).toBe(expected);
  });

  it("agrees with the platform on every path", () => {
    const part = fc.oneof(fc.constantFrom("..", ".", "", "a", "..."), fc.string({ maxLength: 4 }));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
        const path = parts.join("/").replaceAll("\0", "");
        fc.pre(!path.startsWith("~"));
        expect(resolvePath(path, origin)).toBe(posix.resolve("/w/p", path));
      }),
    );
  });

  it("refuses NUL, and a home where there is none", () => {
    expect(() => resolvePath("a\0b", origin)).toThrow(
      expect.objectContaining({ code: "invalid-arguments" }),
    );
    expect(() => resolvePath("~/x", { base: "/", home: undefined })).toThrow(
      expect.objectContaining({ code: "invalid-arguments" }),
    );
  });

  it("knows other spellings of a root, whole names only", () => {
    const aliases = [{ from: "/link", to: "/real/root" }];
    expect(resolvePath("/link", { ...origin, aliases })).toBe("/real/root");
    expect(resolvePath("/link/../link/a", { ...origin, aliases })).toBe("/real/root/a");
    expect(resolvePath("/linked/a", { ...origin, aliases })).toBe("/linked/a");
  });
});
