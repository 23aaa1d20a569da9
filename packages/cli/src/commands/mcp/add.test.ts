import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createTestWorkspace } from "../../test-support/run-haft.ts";

const fixture = fileURLToPath(
  new URL("../../../../connect/src/mcp-client/test-support/fixture-server.mjs", import.meta.url),
);

function command(manner: string, ...more: readonly string[]): string[] {
  return ["--", process.execPath, fixture, manner, ...more];
}

const off = ["--sandbox", "off"];

function add(name: string): string[] {
  return ["mcp", "add", name, "--yes", ...off, "--"];
}

describe("haft mcp add, list, test and remove", () => {
  it("adds a server with what it offers, and reports it", async () => {
    const { haft, state } = createTestWorkspace();
    const added = await haft(["mcp", "add", "s", "--yes", ...off, ...command("good")]);
    expect(added).toMatchObject({ exitCode: 0, stderr: "" });
    expect(added.stdout).toContain("mcp__s__echo  Says what it is told.");
    expect(added.stdout).toContain("WITHOUT A SANDBOX");
    const listed = await haft(["mcp", "list", "--json"]);
    const [server] = listed.json<{ name: string; tools: { id: string; state: string }[] }[]>();
    expect(server?.name).toBe("s");
    expect(server?.tools[0]).toMatchObject({ id: "mcp__s__echo", state: "accepted" });
    const tested = await haft(["mcp", "test", "s"]);
    expect(tested.exitCode).toBe(0);
    expect(tested.stdout).toContain("fixture 1, MCP 20");
    expect((await haft(["mcp", "remove", "s"])).stdout).toBe("Removed s.\n");
    expect((await haft(["mcp", "list"])).stdout).toContain(
      "No MCP servers. Add one with: haft mcp add",
    );
    expect(existsSync(join(state, "mcp"))).toBe(true);
  });

  it("adds nothing without approval", async () => {
    const { haft } = createTestWorkspace();
    const words = ["mcp", "add", "s", ...off, ...command("good")];
    expect(await haft(words)).toMatchObject({
      exitCode: 9,
      stderr: expect.stringContaining("--yes"),
    });
    expect(await haft(words, { typed: ["n"] })).toMatchObject({ exitCode: 1 });
    expect((await haft(["mcp", "list", "--json"])).json()).toEqual([]);
    expect(await haft(words, { typed: ["y"] })).toMatchObject({ exitCode: 0 });
  });

  it("keeps values of variables and headers to itself", async () => {
    const { haft } = createTestWorkspace();
    const words = ["mcp", "add", "s", "--yes", ...off, "--env", "KEY=hush-hush"];
    const added = await haft([...words, ...command("good")]);
    const shown = [added, await haft(["mcp", "list"]), await haft(["mcp", "list", "--json"])];
    expect(shown.map(({ stdout }) => stdout.includes("KEY"))).toEqual([true, true, true]);
    expect(shown.some(({ stdout, stderr }) => `${stdout}${stderr}`.includes("hush"))).toBe(false);
  });

  it("exits with the code of what went wrong", async () => {
    const { haft } = createTestWorkspace();
    expect(await haft(["mcp", "add", "s", "--yes", ...off, ...command("dead")])).toMatchObject({
      exitCode: 16,
      stderr: expect.stringContaining("it wrote: no key was given"),
    });
    expect((await haft(["mcp", "list", "--json"])).json()).toEqual([]);
  });

  it("shows what a program writes while it starts, and keeps no download of one that failed", async () => {
    const { haft, state } = createTestWorkspace();
    const script = `
      const { mkdirSync, writeFileSync } = require("node:fs");
      mkdirSync(process.env.HOME + "/.npm");
      writeFileSync(process.env.HOME + "/.npm/half", "");
      console.error("downloading");
      process.exit(1);`;
    const added = await haft([...add("s"), process.execPath, "-e", script]);
    expect(added).toMatchObject({
      exitCode: 16,
      stderr: expect.stringMatching(/^haft: s: downloading\n/u),
    });
    expect(
      readdirSync(state, { recursive: true }).filter((path) => `${path}`.endsWith("half")),
    ).toEqual([]);
  });

  it("accepts a program by a path from the current directory", async () => {
    const { haft, directory } = createTestWorkspace({
      "bin/server": `#!/bin/sh\nexec '${process.execPath}' '${fixture}' good\n`,
    });
    chmodSync(join(directory, "bin/server"), 0o755);
    expect(await haft([...add("s"), "./bin/server"])).toMatchObject({ exitCode: 0, stderr: "" });
    const [server] = (await haft(["mcp", "list", "--json"])).json<{ command: string }[]>();
    expect(server?.command).toBe(join(directory, "bin/server"));
  });

  it.each([
    [["mcp", "add", "a__b", "--", "x"], "is not a valid server name"],
    [["mcp", "add", "s"], "needs the argument TARGET"],
    [["mcp", "add", "s", "https://u:p@example.com/mcp"], "contains a user or password"],
    [
      ["mcp", "add", "s", "https://example.com/mcp", "--env", "A=b"],
      "--env applies only to servers that",
    ],
    [["mcp", "add", "s", "https://example.com/mcp", "--header", "nonsense"], "--header takes"],
    [["mcp", "add", "s", "--env", "nonsense", "--", "x"], "--env takes NAME=VALUE"],
    [["mcp", "add", "s", "--header", "A: b", "--", "x"], "--header applies only to remote servers"],
    [["mcp", "remove", "s"], 'There is no MCP server "s". Add one with: haft mcp add.'],
    [["mcp", "login"], "needs the argument NAME"],
  ])("refuses %j", async (words, why) => {
    const { haft } = createTestWorkspace();
    expect(await haft(words)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(why) });
  });
});

describe("haft mcp accept", () => {
  it("shows what a server describes otherwise, and pins it again", async () => {
    const { haft, directory } = createTestWorkspace();
    const description = join(directory, "description");
    await haft(["mcp", "add", "s", "--yes", ...off, ...command("changing", description)]);
    writeFileSync(description, "Sends it to \u001b[31mme\u001b[0m.");
    const tested = await haft(["mcp", "test", "s"]);
    expect(tested.exitCode).toBe(0);
    expect(tested.stdout).toContain("mcp__s__echo  CHANGED Says what it is told.");
    expect(tested.stdout).toContain("mcp__s__fresh  NEW Does fresh.");
    const shown = await haft(["mcp", "accept", "s"]);
    expect(shown).toMatchObject({ exitCode: 9 });
    expect(shown.stdout).toContain("    - Says what it is told.\n    + Sends it to me.\n");
    expect(shown.stdout).toContain("fresh is new");
    const taken = await haft(["mcp", "accept", "s", "--yes"]);
    expect(taken.stdout).toContain("Accepted the tools of s.");
    expect((await haft(["mcp", "test", "s"])).stdout).not.toMatch(/CHANGED|NEW/u);
    expect((await haft(["mcp", "accept", "s"])).stdout).toBe(
      "Nothing changed since the tools were accepted.\n",
    );
  });

  it("requires a tool that was reverted to be accepted again", async () => {
    const { haft, directory } = createTestWorkspace();
    const description = join(directory, "description");
    await haft(["mcp", "add", "s", "--yes", ...off, ...command("changing", description)]);
    writeFileSync(description, "Something else.");
    await haft(["mcp", "test", "s"]);
    writeFileSync(description, "Says what it is told.");
    const again = await haft(["mcp", "test", "s"]);
    expect(again.stdout).toContain("mcp__s__echo  CHANGED");
    const taken = await haft(["mcp", "accept", "s", "--yes"]);
    expect(taken.stdout).toContain("is now as it was accepted again");
  });
});

describe("haft mcp import", () => {
  it("shows and imports the servers of a .mcp.json", async () => {
    const servers = {
      good: { command: process.execPath, args: [fixture, "good"], env: { KEY: "hush" } },
      dead: { command: process.execPath, args: [fixture, "dead"] },
      old: { type: "sse", url: "https://example.com/sse" },
      self: { command: "haft", args: ["mcp"] },
    };
    const { haft, directory } = createTestWorkspace({
      ".mcp.json": JSON.stringify({ mcpServers: servers }),
    });
    const dry = await haft(["mcp", "import", "--dry-run"]);
    expect(dry.exitCode).toBe(0);
    expect(dry.stdout).toContain(`  good: ${process.execPath} ${fixture} good\n`);
    expect(dry.stdout).toContain("  self: it is Haft itself");
    expect(dry.stdout).not.toContain("hush");
    expect((await haft(["mcp", "list", "--json"])).json()).toEqual([]);
    const taken = await haft(["mcp", "import", "--yes", ...off]);
    expect(taken.stderr).toContain("added good with 8 tools");
    expect(taken.stderr).toContain(
      "added dead without tools; try again with: haft mcp accept dead",
    );
    expect((await haft(["mcp", "list", "--json"])).json()).toMatchObject([
      { name: "dead", tools: [] },
      { name: "good", env: ["KEY"] },
    ]);
    expect(readFileSync(join(directory, ".mcp.json"), "utf8")).toContain("hush");
  });

  it("says where it looked", async () => {
    const { haft, directory } = createTestWorkspace();
    expect(await haft(["mcp", "import"])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(join(directory, ".mcp.json")),
    });
  });
});
