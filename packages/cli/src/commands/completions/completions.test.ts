import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findOnPath } from "@haft/computer/internal";
import { describe, expect, it, onTestFinished } from "vitest";
import { commands } from "../../declarations/index.ts";
import { createTestWorkspace } from "../../test-support/run-haft.ts";
import { listRoutes } from "./list-routes.ts";

async function print(shell: string): Promise<string> {
  const { stdout, exitCode } = await createTestWorkspace().haft(["completions", shell]);
  expect(exitCode).toBe(0);
  return stdout;
}

/** Completes the last word in a real bash. */
async function complete(...words: readonly string[]): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), "haft-complete-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, "calls.json"), "[]");
  mkdirSync(join(directory, "folder"));
  const quoted = ["haft", ...words].map((word) => `'${word}'`).join(" ");
  const script = `${await print("bash")}
COMP_WORDS=(${quoted})
COMP_CWORD=${words.length}
_haft
printf '%s\\n' "\${COMPREPLY[@]}"
`;
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", script], {
    cwd: directory,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((line) => line !== "");
}

describe("haft completions", () => {
  it.each(["bash", "zsh", "fish"])(
    "prints a script for %s that the shell can parse",
    async (shell) => {
      const script = await print(shell);
      for (const word of ["tool-scaffold", "publish", "--bump", "major"].slice(
        0,
        shell === "fish" ? 2 : 4,
      )) {
        expect(script).toContain(word);
      }
      if (findOnPath(shell, process.env.PATH ?? "") === undefined) return;
      const { status, stderr } = spawnSync(shell, ["-n"], { input: script, encoding: "utf8" });
      expect(stderr).toBe("");
      expect(status).toBe(0);
    },
  );

  it("refuses another shell", async () => {
    const { stderr, exitCode } = await createTestWorkspace().haft(["completions", "tcsh"]);
    expect(stderr).toContain("bash, zsh, fish");
    expect(exitCode).toBe(2);
  });

  it.each([
    [["to"], ["tools", "toolbox", "tool", "tool-scaffold"]],
    [
      ["tool", "p"],
      ["publish", "promote"],
    ],
    [
      ["tool", "publish", "--bump", ""],
      ["major", "minor", "patch"],
    ],
    [
      ["tool", "publish", "--bump", "m"],
      ["major", "minor"],
    ],
    [
      ["tool", "-e", "work", "list", "--sort", "+"],
      ["+name", "+deprecated"],
    ],
    [["call", "read", "--sandbox", "r"], ["required"]],
    [["batch", "c"], ["calls.json"]],
    [["tools", "-C", "f"], ["folder"]],
    [["completions", "z"], ["zsh"]],
    [["mcp", "install", "cl"], ["claude"]],
    [["sessions", "export", "--fo"], ["--format"]],
    [["tool", "list", "--bu"], []],
    // --user takes a value in one of these commands and none in the other.
    [["tool", "logs", "--user", "x", "--source", "m"], ["mcp"]],
    [["toolbox", "make", "--user", "--la"], ["--language"]],
  ])("completes %j in bash", async (words, expected) => {
    expect(await complete(...words)).toEqual(expected);
  });

  it("offers the options of the default subcommand and of no other", async () => {
    const offered = await complete("mcp", "--");
    expect(offered).toContain("--http");
    expect(offered).not.toContain("--dry-run");
  });
});

describe("the declarations", () => {
  it("have an example of every action", async () => {
    for (const { path, words, options } of await listRoutes(commands)) {
      if (Object.keys(words).length > 0) continue;
      const { stdout } = await createTestWorkspace().haft([...path.split(" "), "--help"]);
      expect(stdout).toContain(`Usage: haft ${path}`);
      expect(stdout).toContain("Examples:");
      for (const name of Object.keys(options)) expect(stdout).toContain(`--${name}`);
    }
  });
});
