import { describe, expect, it } from "vitest";
import { expandVariables } from "./expand-variables.ts";

const variables = { workspace: ["/w", "/v"], "user-data": ["/home/me/.data"], "ad-hoc": [] };

describe("expandVariables", () => {
  it.each<[string, string[]]>([
    ["/plain/**", ["/plain/**"]],
    ["{workspace}/**", ["/w/**", "/v/**"]],
    ["{user-data}/x", ["/home/me/.data/x"]],
    ["{ad-hoc}/x", []],
    ["{workspace}/{ad-hoc}", []],
    ["{workspace}{user-data}", ["/w/home/me/.data", "/v/home/me/.data"]],
    ["/{a,b}/x", ["/{a,b}/x"]],
    ["{a,{workspace}}", ["{a,/w}", "{a,/v}"]],
    ["\\{workspace\\}", ["\\{workspace\\}"]],
  ])("expands %s", (pattern, expected) => {
    expect(expandVariables(pattern, variables)).toEqual(expected);
  });

  it("does not expand what a value happens to contain", () => {
    expect(expandVariables("{a}", { a: ["{b}"], b: ["/etc"] })).toEqual(["{b}"]);
  });

  it("writes values as it is told", () => {
    expect(expandVariables("*{a}", { a: ["*"] }, (value) => `<${value}>`)).toEqual(["*<*>"]);
  });

  it("throws for an undefined variable and names the ones there are", () => {
    expect(() => expandVariables("{workspce}/**", variables)).toThrow(
      new TypeError(
        'Pattern "{workspce}/**" uses the undefined variable {workspce}. Defined: ad-hoc, user-data, workspace.',
      ),
    );
    expect(() => expandVariables("{toString}", {})).toThrow(/\{toString\}\. Defined: none\./u);
    expect(() => expandVariables("{}", variables)).toThrow(TypeError);
  });
});
