import { describe, expect, it } from "vitest";
import { anchorPathPattern } from "./path-pattern.ts";

const variables = { workspace: ["/w", "/v"], "ad-hoc": [], name: ["part"] };

describe("anchorPathPattern", () => {
  it.each<[string, string[]]>([
    ["/etc/hosts", ["/etc/hosts"]],
    ["{workspace}/**", ["/w/**", "/v/**"]],
    ["{workspace}", ["/w", "/v"]],
    ["src/**", ["/w/src/**", "/v/src/**"]],
    ["./src/*.ts", ["/w/src/*.ts", "/v/src/*.ts"]],
    [".", ["/w", "/v"]],
    ["**/*.md", ["/w/**/*.md", "/v/**/*.md"]],
    ["{src,test}/**", ["/w/src/**", "/v/src/**", "/w/test/**", "/v/test/**"]],
    ["{/a,/b}/*", ["/a/*", "/b/*"]],
    ["{workspace}/{name}/x", ["/w/part/x", "/v/part/x"]],
    ["{ad-hoc}/**", []],
    ["/a//b/./c/", ["/a/b/c"]],
    ["\\!important", ["/w/\\!important", "/v/\\!important"]],
    ["a..b/...", ["/w/a..b/...", "/v/a..b/..."]],
  ])("anchors %s", (pattern, expected) => {
    expect(anchorPathPattern(pattern, variables)).toEqual(expected);
  });

  it("keeps a workspace at the root of the disk whole", () => {
    const root = { workspace: ["/"] };
    expect(anchorPathPattern("{workspace}/**", root)).toEqual(["/**"]);
    expect(anchorPathPattern("src/**", root)).toEqual(["/src/**"]);
    expect(anchorPathPattern("{workspace}", root)).toEqual(["/"]);
  });

  it("takes the values of variables literally", () => {
    const odd = { workspace: ["/w/[x]{a}*"] };
    expect(anchorPathPattern("{workspace}/*", odd)).toEqual(["/w/\\[x\\]\\{a\\}\\*/*"]);
    expect(anchorPathPattern("src", odd)).toEqual(["/w/\\[x\\]\\{a\\}\\*/src"]);
  });

  it.each(["..", "../x", "/w/../etc", "a/..", "{a,../b}/c", "{workspace}/../x"])(
    "refuses %s, which climbs",
    (pattern) => {
      const anchor = (): string[] => anchorPathPattern(pattern, variables);
      expect(anchor).toThrow(TypeError);
      expect(anchor).toThrow(`Path pattern ${JSON.stringify(pattern)} contains ".."`);
    },
  );

  it.each<[string, RegExp]>([
    ["!secrets/**", /starts with !, but patterns can't exclude/u],
    ["~/x", /starts with ~/u],
    ["~", /starts with ~/u],
    ["", /is empty/u],
    ["{,src}", /empty alternative/u],
    ["{name}/**", /\{name\}, whose value "part" is not an absolute path/u],
  ])("refuses %j, which can't mean what it says", (pattern, message) => {
    expect(() => anchorPathPattern(pattern, variables)).toThrow(message);
  });

  it("refuses an empty value, which would stand for the whole disk", () => {
    expect(() => anchorPathPattern("{workspace}/**", { workspace: [""] })).toThrow(TypeError);
  });
});
