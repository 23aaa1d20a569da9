import { describe, expect, it } from "vitest";
import { nearestNames } from "./nearest-names.ts";

const known = ["read", "write", "edit", "glob", "grep", "web_fetch", "web_search", "bread"];

describe("nearestNames", () => {
  it.each([
    ["another case", "Read", "read"],
    ["another spelling of the words", "webFetch", "web_fetch"],
    ["a letter too many", "writte", "write"],
    ["a letter missing", "gre", "grep"],
    ["letters swapped", "eidt", "edit"],
    ["a longer name that contains it", "read_file", "read"],
    ["a part of it", "fetch", "web_fetch"],
    ["nothing of the kind", "compile", undefined],
    ["nothing at all", "", undefined],
  ])("finds what is meant by %s", (_, wanted, expected) => {
    expect(nearestNames(wanted, known)[0]).toBe(expected);
  });

  it("puts the same name before those that merely contain it", () => {
    expect(nearestNames("READ", known)).toEqual(["read", "bread"]);
  });

  it("gives no more than it was asked for", () => {
    expect(nearestNames("web", ["web_a", "web_b", "web_c", "web_d"])).toHaveLength(3);
    expect(nearestNames("web", ["web_a", "web_b"], 1)).toEqual(["web_a"]);
  });
});
