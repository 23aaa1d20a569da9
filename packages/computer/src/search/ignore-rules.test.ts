import { describe, expect, it } from "vitest";
import { compileIgnoreRules } from "./ignore-rules.ts";

describe("compileIgnoreRules", () => {
  const judge = (text: string, path: string): string => {
    const isDirectory = path.endsWith("/");
    const [, directory = "", name = ""] = /^(?:(.*)\/)?([^/]+)\/?$/u.exec(path) ?? [];
    return compileIgnoreRules(text)?.at(directory)?.judge(name, isDirectory) ?? "nothing";
  };

  it.each([
    ["a", "x/a", "ignore"],
    ["/a", "a", "ignore"],
    ["/a", "x/a", "nothing"],
    ["a/", "a", "nothing"],
    ["a/", "a/", "ignore"],
    ["*.log", "x/b.log", "ignore"],
    ["*.log\n!b.log", "x/b.log", "keep"],
    ["!b.log\n*.log", "x/b.log", "ignore"],
    ["a/b", "x/a/b", "nothing"],
    ["**/a/b", "x/a/b", "ignore"],
    ["a/**/b", "a/x/y/b", "ignore"],
    ["a/**", "a/", "nothing"],
    ["a/**", "a/x/y", "ignore"],
    ["a/*", "a/x/y", "nothing"],
    ["# a", "# a", "nothing"],
    ["\\# a", "# a", "ignore"],
    ["\\!a", "!a", "ignore"],
    ["a  ", "a", "ignore"],
    ["a\\ ", "a ", "ignore"],
    ["[a-c]?", "bx", "ignore"],
    ["[!a]", "a", "nothing"],
    ["{a,b}.ts", "b.ts", "ignore"],
    ["{a", "{a", "nothing"],
    ["", "a", "nothing"],
    ["\uFEFFa", "a", "ignore"],
    ["a\r\nb", "a", "ignore"],
    ["?", "ä", "nothing"],
    ["??", "ä", "ignore"],
  ])("reads %j on %s as %s", (text, path, verdict) => {
    expect(judge(text, path)).toBe(verdict);
  });

  it("is quick with patterns that try everything", () => {
    expect(judge(`${"*a".repeat(40)}b`, "a".repeat(250))).toBe("nothing");
    expect(judge(`${"**/a/".repeat(40)}b`, `${"a/".repeat(250)}c`)).toBe("nothing");
  });

  it("is not delayed by spaces without end", () => {
    const spaces = " ".repeat(300_000);
    expect(judge(`a${spaces}b\nx${spaces}`, "x")).toBe("ignore");
  });
});
