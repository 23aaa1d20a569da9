import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { agents } from "../declarations/agents.ts";
import { trust } from "../declarations/trust.ts";
import { runCommand } from "../test-support/run-command.ts";
import type { Ran } from "../test-support/run-haft.ts";

const made: string[] = [];

afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});

async function run(
  args: readonly string[],
  files: Readonly<Record<string, string>> = {},
  isTrusted = true,
): Promise<Ran> {
  const directory = mkdtempSync(join(tmpdir(), "haft-agents-"));
  made.push(directory);
  mkdirSync(join(directory, ".haft/agents"), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(directory, ".haft/agents", name), text);
  }
  const place = { directory, environment: { HOME: join(directory, "home") } };
  if (isTrusted) await runCommand(trust, ["--yes"], place);
  return runCommand(agents, args, place);
}

const reviewer = "---\ndescription: Reviews.\nmode: all\ntools: [read]\n---\nYou review.\n";

describe("haft agents", () => {
  it("lists built-in and project agents", async () => {
    const { stdout, exitCode } = await run([], { "reviewer.md": reviewer });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^build +primary +\S/mu);
    expect(stdout).toMatch(/^finder +subagent +\S/mu);
    expect(stdout).toMatch(/^reviewer +all +Reviews\.$/mu);
  });

  it("prints all details as JSON", async () => {
    const listed = (await run(["list", "--json"], { "reviewer.md": reviewer })).json<object[]>();
    expect(listed).toContainEqual(
      expect.objectContaining({ name: "reviewer", mode: "all", tools: ["read"] }),
    );
  });

  it("reports files that can't be used, and fails", async () => {
    const requires = 'requires: { fs: { read: ["{workspce}/**"] } }';
    const text = `---\ndescription: Wrong.\n${requires}\n---\nYou fail.\n`;
    const { stderr, stdout, exitCode } = await run([], { "wrong.md": text });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/wrong\.md.*workspce/u);
    expect(stdout).not.toContain("Wrong.");
  });

  it("lists no untrusted agent of a project, and says so", async () => {
    const listed = await run([], { "reviewer.md": reviewer }, false);
    expect(listed.exitCode).toBe(0);
    expect(listed.stdout).not.toContain("reviewer");
    expect(listed.stderr).toMatch(/reviewer\.md: .*not trusted.*haft trust\n$/u);
    const shown = await run(["show", "reviewer"], { "reviewer.md": reviewer }, false);
    expect(shown.stderr).toMatch(/reviewer\.md is not trusted yet.*haft trust/u);
  });

  it("shows one with its prompt", async () => {
    const { stdout } = await run(["show", "reviewer"], { "reviewer.md": reviewer });
    expect(stdout).toMatch(/^description: Reviews\.$/mu);
    expect(stdout).toMatch(/\n\nYou review\.\n+$/u);
  });

  it.each([
    [["show", "finde"], /no agent "finde"\. Did you mean finder\?/u],
    [["show"], /needs the argument NAME/u],
    [["paint"], /no subcommand "paint". Subcommands: list, show/u],
    [["list", "more"], /takes no arguments, but got "more"/u],
  ])("says what is wrong with %j", async (args, message) => {
    const { stderr, exitCode } = await run(args);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(message);
  });
});
