import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTestWorkspace, type TestWorkspace } from "../test-support/run-haft.ts";

const claude = `{
  // shared by the team
  "permissions": {
    "allow": ["Bash(git log:*)", "Read(./src/**)", "Bash(cd x && ls)"],
    "deny": ["Bash(curl:*)", "Read(./.env)"],
  },
}`;
const local = '{"permissions": {"allow": ["Bash(npm run build)"], "ask": ["Bash(git push:*)"]}}';
const amp = JSON.stringify({
  "amp.permissions": [
    { tool: "Bash", matches: { cmd: "make *" }, action: "allow" },
    { tool: "*", action: "delegate", to: "asker" },
  ],
});

/** A workspace with a home directory of its own, so that no real settings are read. */
function createWorkspaceWithHome(files: Readonly<Record<string, string>> = {}) {
  const workspace = createTestWorkspace(files);
  const home = join(workspace.state, "..", "home");
  const haft: TestWorkspace["haft"] = (args, situation) =>
    workspace.haft(["permissions", "import", ...args], {
      ...situation,
      environment: { HOME: home },
    });
  const writeHome = (name: string, content: string): void => {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), content);
  };
  const rulesFile = join(workspace.directory, ".haft", "rules");
  return { ...workspace, home, haft, writeHome, rulesFile };
}

describe("haft permissions import", () => {
  it("takes over all of Claude Code's settings, and says what it left out", async () => {
    const { haft, writeHome, rulesFile, directory, home } = createWorkspaceWithHome({
      ".claude/settings.json": claude,
      ".claude/settings.local.json": local,
    });
    writeHome(".claude/settings.json", '{"permissions": {"deny": ["WebFetch(domain:a.example)"]}}');
    const { stdout, exitCode } = await haft(["claude", "--yes"]);
    expect(exitCode).toBe(0);
    expect(readFileSync(rulesFile, "utf8").trim().split("\n")).toEqual([
      "bash curl deny",
      "fs.read .env/** deny",
      "web_fetch a.example deny",
      "bash git push ask",
      "bash git log * allow",
      "read src/** allow",
      "bash npm run build allow",
      "bash npm run build * * ask",
    ]);
    expect(stdout).toContain(
      `From ${directory}/.claude/settings.json, ${directory}/.claude/settings.local.json, ${home}/.claude/settings.json:\n`,
    );
    expect(stdout).toContain("Skipped:\n  Bash(cd x && ls): ");
    expect(stdout).toContain(`Stored in ${rulesFile}.\n`);
  });

  it("takes over Amp's settings and names the option for what is delegated", async () => {
    const { haft, writeHome, rulesFile } = createWorkspaceWithHome();
    writeHome(".config/amp/settings.json", amp);
    const { stdout } = await haft(["amp"]);
    expect(stdout).toContain("--watchdog asker");
    expect(readFileSync(rulesFile, "utf8")).toBe("bash make * allow\n");
  });

  it("stores nothing on a dry run", async () => {
    const { haft, rulesFile } = createWorkspaceWithHome({ ".amp/settings.json": amp });
    const { stdout } = await haft(["amp", "--dry-run"]);
    expect(stdout).toContain("  bash make * allow\n");
    expect(stdout).toContain("Nothing was stored.\n");
    expect(existsSync(rulesFile)).toBe(false);
  });

  it("asks for confirmation before it stores rules", async () => {
    const { haft, rulesFile } = createWorkspaceWithHome({ ".amp/settings.json": amp });
    await haft(["amp"], { typed: ["n"] });
    expect(existsSync(rulesFile)).toBe(false);
    await haft(["amp"], { typed: ["y"] });
    expect(existsSync(rulesFile)).toBe(true);
  });

  it("gives scripts the rules, and takes the file and the scope that it is told", async () => {
    const { haft, rulesFile, directory } = createWorkspaceWithHome({ "mine.json": amp });
    const { json } = await haft(["amp", "mine.json", "--scope", "session", "--json", "--yes"]);
    expect(json()).toMatchObject({
      sources: [join(directory, "mine.json")],
      scope: "session",
      rules: ["bash make * allow"],
      skipped: [{ why: expect.stringContaining("--watchdog") }],
      notes: [],
      stored: true,
    });
    expect(existsSync(rulesFile)).toBe(false);
  });

  it("stores nothing that files of the workspace allow, without a person's word", async () => {
    const { haft, writeHome, rulesFile } = createWorkspaceWithHome({
      ".claude/settings.json": claude,
      ".claude/settings.local.json": local,
    });
    writeHome(".claude/settings.json", '{"permissions": {"allow": ["Bash(ls:*)"]}}');
    const { stderr, exitCode } = await haft(["claude"]);
    expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/3 rules .* --yes\n$/u)]);
    const stored = readFileSync(rulesFile, "utf8").trim().split("\n");
    expect(stored.filter((line) => line.endsWith(" allow"))).toEqual(["bash ls * allow"]);
    expect(stored).toContain("bash curl deny");
  });

  it("reads settings of the workspace through no link, and waits for no pipe", async () => {
    const { haft, writeHome, directory, home } = createWorkspaceWithHome();
    writeHome("elsewhere/settings.json", claude);
    symlinkSync(join(home, "elsewhere"), join(directory, ".claude"));
    expect((await haft(["claude", "--yes"])).stderr).toContain("is reached through a link");
    mkdirSync(join(directory, ".amp"));
    execFileSync("mkfifo", [join(directory, ".amp/settings.json")]);
    expect((await haft(["amp", "--yes"])).stderr).toContain("is not a regular file");
  });

  it("adds to what is there, and nothing twice", async () => {
    const { haft, rulesFile } = createWorkspaceWithHome({
      ".amp/settings.json": amp,
      ".haft/rules": "# ours\nbash make * allow\n",
    });
    const { stdout } = await haft(["amp"]);
    expect(stdout).toContain("already in");
    expect(stdout).toContain("Nothing was stored.");
    await haft(["amp", "--yes"]);
    expect(readFileSync(rulesFile, "utf8")).toBe("# ours\nbash make * allow\n");
  });

  it.each([
    [[], "amp or claude"],
    [["cursor"], "amp or claude"],
    [["constructor"], "amp or claude"],
    [["claude"], ".claude/settings.local.json"],
    [["amp"], "amp/settings.json"],
    [["amp", "none.json"], "none.json"],
    [["amp", "broken.json"], "broken.json cannot be read"],
    [["amp", "a", "b"], "unexpected argument"],
  ])("refuses %j and says why", async (args, reason) => {
    const { haft } = createWorkspaceWithHome({ "broken.json": "{" });
    const { exitCode, stderr } = await haft(args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(reason);
  });
});
