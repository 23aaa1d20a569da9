import { describe, expect, it } from "vitest";
import { tomlSettings } from "./toml-settings.ts";

const keys = ["servers", "haft"] as const;
const set = (text: string): string => tomlSettings.set(text, keys, { command: "x", args: ["y"] });
const table = '[servers.haft]\ncommand = "x"\nargs = [ "y" ]\n';

describe("TOML settings", () => {
  it.each([
    ["", table],
    ["# mine\nmodel = 'a'", `# mine\nmodel = 'a'\n\n${table}`],
    ["a = 1\r\n", `a = 1\r\n\r\n${table.replaceAll("\n", "\r\n")}`],
    ["[servers.other]\ncommand = 'o' # o\n", `[servers.other]\ncommand = 'o' # o\n\n${table}`],
    ["servers.other.command = 'o'\n", `servers.other.command = 'o'\n\n${table}`],
  ])("adds a table to %j and leaves the rest as it was", (before, after) => {
    expect(set(before)).toBe(after);
    expect(set(after)).toBe(after);
  });

  it("replaces a table with all that is below it, and nothing else", () => {
    const before = [
      'text = """\n[servers.haft]\n"""',
      "list = [\n  [1], # [servers.haft]\n]",
      "[ servers . 'haft' ] # old",
      "command = '''\n[servers.x]'''",
      "args = [\n]",
      "",
      "[servers.haft.env]",
      'KEY = "[a]"',
      "",
      "# about x",
      "[servers.x]",
      "command = 'x'",
      "[[servers.haft.more]]",
      "a = 1",
      "# the end",
    ].join("\n");
    expect(set(before)).toBe(
      [
        'text = """\n[servers.haft]\n"""',
        "list = [\n  [1], # [servers.haft]\n]",
        `${table}`,
        "# about x",
        "[servers.x]",
        "command = 'x'",
        "# the end",
      ].join("\n"),
    );
  });

  it("refuses to replace what has no header of its own", () => {
    expect(() => set("servers = { haft = { command = 'o' } }\n")).toThrow("not a table of its own");
    expect(() => set("[servers]\nhaft.command = 'o'\n")).toThrow("not a table of its own");
  });

  it("reads a number too large for us without a fault", () => {
    expect(tomlSettings.read("a = 9007199254740993")).toEqual({ a: 9007199254740993n });
  });
});
