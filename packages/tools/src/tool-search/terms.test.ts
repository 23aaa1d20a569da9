import { describe, expect, it } from "vitest";
import { joinName, splitName, splitText, toolPart, toTerm } from "./terms.ts";

describe("the words of a name", () => {
  it.each([
    ["mcp__github__create_issue", ["github", "create", "issue"]],
    ["mcp__acme-server__getHTTPStatus2", ["acme", "server", "get", "HTTP", "Status2"]],
    ["tb__run-tests", ["run", "tests"]],
    ["plain", ["plain"]],
    ["add_to_cart", ["add", "cart"]],
    ["größeÄndern", ["größe", "Ändern"]],
    ["___", []],
  ])("of %s are %j", (name, words) => {
    expect(splitName(name)).toEqual(words);
  });
});

describe("the words of a text", () => {
  it("are those that say something", () => {
    expect(splitText("Use this tool to list, in JSON, all of the user's files.")).toEqual([
      "list",
      "JSON",
      "all",
      "user",
      "s",
      "files",
    ]);
  });
});

describe("toolPart", () => {
  it.each([
    ["mcp__a__b__c", "b__c"],
    ["tb__x", "x"],
    ["mcp__a", "mcp__a"],
    ["x", "x"],
  ])("of %s is %s", (name, part) => {
    expect(toolPart(name)).toBe(part);
  });
});

describe("toTerm", () => {
  it.each([
    ["Issues", "issue"],
    ["repositories", "repository"],
    ["class", "class"],
    ["status", "status"],
    ["as", "as"],
    ["Merge", "merge"],
  ])("makes %s %s", (word, term) => {
    expect(toTerm(word)).toBe(term);
  });
});

describe("joinName", () => {
  it("leaves out whatever is no letter", () => {
    expect(joinName("create_Issue-2")).toBe("createissue2");
  });
});
