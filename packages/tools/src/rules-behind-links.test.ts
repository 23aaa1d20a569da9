import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { JsonValue } from "@haft/contract";
import { type Computer, parseRule } from "@haft/core";
import { describe, expect, it } from "vitest";
import { computers, type MakeComputer } from "./test-support/computers.ts";
import { openSession } from "./test-support/open-session.ts";

const [, makeDisk] = computers.find(([name]) => name === "on disk") as [string, MakeComputer];

const secret = "the hidden line\n";

/** A workspace with links of every kind that lead to `private`. */
function makeLinked(): { readonly computer: Computer; at(path: string): string } {
  const computer = makeDisk({ "private/x.txt": secret, "open/y.txt": "y\n", "z.txt": "z\n" });
  const at = (path: string): string => join(computer.roots[0] as string, path);
  symlinkSync("private", at("directory"));
  symlinkSync(at("private/x.txt"), at("file"));
  symlinkSync("directory", at("open/chain-2"));
  symlinkSync("../open/chain-3", at("open/chain-1"));
  symlinkSync("../directory", at("open/chain-3"));
  symlinkSync("private/new.txt", at("dangling"));
  return { computer, at };
}

const closedPaths = ["directory/x.txt", "file", "open/chain-1/x.txt", "open/../directory/x.txt"];

const patchOf = (path: string): string =>
  `*** Begin Patch\n*** Update File: ${path}\n@@\n-the hidden line\n+changed\n*** End Patch`;

const readers: [string, (path: string) => JsonValue][] = [
  ["read", (path) => ({ path })],
  ["grep", (path) => ({ pattern: "hidden", path })],
  ["edit", (path) => ({ path, old_string: "hidden", new_string: "x" })],
  ["multi_edit", (path) => ({ path, edits: [{ old_string: "hidden", new_string: "x" }] })],
  ["apply_patch", (path) => ({ patch: patchOf(path) })],
  ["format_file", (path) => ({ path })],
];

const writers: [string, (path: string) => JsonValue][] = [
  ...readers.filter(([name]) => name !== "read" && name !== "grep"),
  ["write", (path) => ({ path, content: "x" })],
];

describe("a rule that denies reading a directory", () => {
  for (const [name, toArguments] of readers) {
    it.each(closedPaths)(`holds for ${name} of %s, which a link leads to it`, async (path) => {
      const { computer, at } = makeLinked();
      const session = openSession(computer, "test", [parseRule("fs.read private/** deny")]);
      const result = await session.call(name, toArguments(path));
      expect(result).toMatchObject({ type: "error", metadata: { error_code: "denied" } });
      expect(JSON.stringify(result)).toContain("fs.read private/** deny");
      expect(readFileSync(at("private/x.txt"), "utf8")).toBe(secret);
    });
  }

  it.each(["directory", "open/chain-1"])("hides its files from searches in %s", async (path) => {
    const { computer } = makeLinked();
    const session = openSession(computer, "test", [parseRule("fs.read private/** deny")]);
    for (const [name, args] of [
      ["glob", { pattern: "**/*", path }],
      ["grep", { pattern: "hidden", path }],
      ["repo_overview", { path }],
      ["read", { path }],
    ] as const) {
      const shown = JSON.stringify(await session.call(name, args));
      expect(shown).not.toContain("x.txt");
      expect(shown).not.toContain("hidden line");
    }
  });

  it("holds for move_file, after which the file could be read under another name", async () => {
    const { computer, at } = makeLinked();
    const session = openSession(computer, "test", [parseRule("fs.read private/** deny")]);
    const result = await session.call("move_file", { from: "directory/x.txt", to: "moved.txt" });
    expect(result).toMatchObject({ metadata: { error_code: "denied" } });
    expect(existsSync(at("moved.txt"))).toBe(false);
  });

  it("does not concern a path where `..` follows the link, because it names another file", async () => {
    const { computer } = makeLinked();
    const session = openSession(computer, "test", [parseRule("fs.read private/** deny")]);
    const read = await session.call("read", { path: "directory/../z.txt" });
    expect(read).toMatchObject({ type: "output" });
    expect(await session.call("read", { path: "z.txt/../directory/x.txt" })).toMatchObject({
      metadata: { error_code: "denied" },
    });
  });

  it("lets a file be replaced that may not be read", async () => {
    const { computer, at } = makeLinked();
    const session = openSession(computer, "test", [parseRule("fs.read private/** deny")]);
    await session.run("write", { path: "directory/x.txt", content: "new" });
    expect(readFileSync(at("private/x.txt"), "utf8")).toBe("new\n");
  });

  it("asks about the file that a link leads to", async () => {
    const { computer } = makeLinked();
    const session = openSession(computer, "test", [parseRule("fs.read private/** ask")]);
    expect(await session.call("read", { path: "file" })).toMatchObject({
      metadata: { error_code: "headless" },
    });
  });
});

describe("a rule that denies writing a directory", () => {
  for (const [name, toArguments] of writers) {
    it.each(closedPaths)(`holds for ${name} of %s, which a link leads to it`, async (path) => {
      const { computer, at } = makeLinked();
      const session = openSession(computer, "test", [parseRule("fs.write private/** deny")]);
      const result = await session.call(name, toArguments(path));
      expect(result).toMatchObject({ type: "error", metadata: { error_code: "denied" } });
      expect(readFileSync(at("private/x.txt"), "utf8")).toBe(secret);
    });
  }

  it.each<[string, JsonValue]>([
    ["write", { path: "dangling", content: "x" }],
    ["write", { path: "open/chain-1/new.txt", content: "x" }],
    ["delete_file", { path: "directory/x.txt" }],
    ["move_file", { from: "z.txt", to: "directory/new.txt" }],
    ["move_file", { from: "open/chain-1/x.txt", to: "new.txt" }],
  ])("holds for %s with %j", async (name, args) => {
    const { computer, at } = makeLinked();
    const session = openSession(computer, "test", [parseRule("fs.write private/** deny")]);
    expect(await session.call(name, args)).toMatchObject({ metadata: { error_code: "denied" } });
    expect(readFileSync(at("private/x.txt"), "utf8")).toBe(secret);
    expect(existsSync(at("private/new.txt"))).toBe(false);
  });
});
