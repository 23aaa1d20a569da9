import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { runCommand } from "../test-support/run-command.ts";
import type { Ran } from "../test-support/run-haft.ts";
import { agents } from "./agents.ts";

const made: string[] = [];

afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function run(args: readonly string[], files: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const directory = mkdtempSync(join(tmpdir(), "haft-agents-"));
  made.push(directory);
  mkdirSync(join(directory, ".haft/agents"), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(directory, ".haft/agents", name), text);
  }
  return runCommand(agents, args, { directory, environment: { HOME: directory } });
}

const reviewer = "---\ndescription: Reviews.\nmode: all\ntools: [read]\n---\nYou review.\n";

describe("haft agents", () => {
  it("lists those that come with Haft and the project's own", async () => {
    const { stdout, exitCode } = await run([], { "reviewer.md": reviewer });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^build +primary +\S/mu);
    expect(stdout).toMatch(/^finder +subagent +\S/mu);
    expect(stdout).toMatch(/^reviewer +all +Reviews\.$/mu);
  });

  it("gives scripts all that is said of them", async () => {
    const listed = (await run(["list", "--json"], { "reviewer.md": reviewer })).json<object[]>();
    expect(listed).toContainEqual(
      expect.objectContaining({ name: "reviewer", mode: "all", tools: ["read"] }),
    );
  });

  it("tells of files that can't be used, and fails", async () => {
    const requires = 'requires: { fs: { read: ["{workspce}/**"] } }';
    const text = `---\ndescription: Wrong.\n${requires}\n---\nYou fail.\n`;
    const { stderr, stdout, exitCode } = await run([], { "wrong.md": text });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/wrong\.md.*workspce/u);
    expect(stdout).not.toContain("Wrong.");
  });

  it("shows one with its prompt", async () => {
    const { stdout } = await run(["show", "reviewer"], { "reviewer.md": reviewer });
    expect(stdout).toMatch(/^description: Reviews\.$/mu);
    expect(stdout).toMatch(/\n\nYou review\.\n+$/u);
  });

  it.each([
    [["show", "finde"], /no agent "finde"\. Did you mean finder\?/u],
    [["show"], /Which agent\? Agents: .*build/u],
    [["paint"], /can list or show, not "paint"/u],
    [["list", "more"], /can list or show/u],
  ])("says what is wrong with %j", async (args, message) => {
    const { stderr, exitCode } = await run(args);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(message);
  });
});
