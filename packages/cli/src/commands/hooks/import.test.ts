import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorCodes } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { createTestWorkspace, type TestWorkspace } from "../../test-support/run-haft.ts";

interface ImportWorkspace extends TestWorkspace {
  readonly home: string;
  /** The file that hooks of `touching` create. */
  readonly ran: string;
  /** A hook file with one hook before each call. */
  file(command: string): string;
  touch(): Promise<boolean>;
}

function openWorkspace(files: Readonly<Record<string, string>> = {}): ImportWorkspace {
  const workspace = createTestWorkspace({ "a.txt": "one\n", ...files });
  const home = join(dirname(workspace.directory), "home");
  mkdirSync(home);
  const ran = join(home, "ran");
  const haft: ImportWorkspace["haft"] = (args, situation = {}) =>
    workspace.haft(args, { ...situation, environment: { HOME: home, ...situation.environment } });
  return {
    ...workspace,
    haft,
    home,
    ran,
    file: (command) =>
      JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: "command", command }] }] } }),
    touch: async () => {
      rmSync(ran, { force: true });
      await haft(["call", "read", "path=a.txt"]);
      return existsSync(ran);
    },
  };
}

function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const denied = errorCodes.denied.exitCode;

describe("haft hooks import", () => {
  it("shows a person's hooks, stores them for every command on request, and removes them", async () => {
    const place = openWorkspace();
    const { haft, home, ran, file } = place;
    put(join(home, ".claude/settings.json"), file(`touch ${ran}`));
    put(join(home, ".gemini/settings.json"), JSON.stringify({ theme: "dark" }));
    put(
      join(home, ".codex/config.toml"),
      '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "prompt"\n',
    );
    const dry = await haft(["hooks", "import", "--dry-run"]);
    expect(dry.stdout).toContain(
      `${home}/.claude/settings.json (Claude Code, every workspace):\n  PreToolUse: touch ${ran}\n`,
    );
    expect(dry.stdout).toContain('not run: hooks.Stop[0].hooks[0]: hooks of type "prompt"\n');
    expect((await haft(["hooks", "import"])).stdout).toContain("To store them, add --yes");
    expect(await place.touch()).toBe(false);

    expect((await haft(["hooks", "import", "claude", "--yes", "--json"])).json()).toMatchObject({
      files: [{ agent: "claude", hooks: [{ event: "PreToolUse", matcher: null }] }],
      stored: true,
    });
    expect(await place.touch()).toBe(true);
    expect((await haft(["hooks"])).stdout).toContain(`PreToolUse: touch ${ran}\n`);

    expect((await haft(["hooks", "remove", "codex"])).exitCode).toBe(2);
    expect((await haft(["hooks", "remove", "claude"])).exitCode).toBe(0);
    expect(await place.touch()).toBe(false);
  });

  it("asks in a terminal", async () => {
    const place = openWorkspace();
    const { haft, home, ran, file } = place;
    const path = join(home, "hooks.json");
    put(path, file(`touch ${ran}`));
    await haft(["hooks", "import", path], { typed: ["n"] });
    expect(await place.touch()).toBe(false);
    await haft(["hooks", "import", path], { typed: ["y"] });
    expect(await place.touch()).toBe(true);
  });

  it("runs what was imported, though the file changes, until it is imported again", async () => {
    const { haft, home, file } = openWorkspace();
    const path = join(home, ".claude/settings.json");
    put(path, file("echo one >&2; exit 2"));
    await haft(["hooks", "import", "--yes"]);
    const read = async (): Promise<string> => (await haft(["call", "read", "path=a.txt"])).stderr;
    put(path, file("echo two >&2; exit 2"));
    const changed = await read();
    expect(changed).toContain("hook echo one >&2; exit 2: one.");
    expect(changed).toContain("it has changed since. Update them with: haft hooks import");
    await haft(["hooks", "import", "--yes"]);
    expect(await read()).toContain(": two.");
  });
});

describe("the hooks of a clone", () => {
  it("never run before a person has trusted them", async () => {
    const place = openWorkspace();
    const { haft, directory, ran, file } = place;
    const path = join(directory, ".claude/settings.json");
    put(path, file(`touch ${ran}`));
    expect(await place.touch()).toBe(false);
    const named = ["call", "read", "path=a.txt", "--hooks", path];
    const refused = await haft(named);
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringContaining("haft trust --hooks .claude/settings.json"),
    ]);
    expect(existsSync(ran)).toBe(false);
    expect((await haft([...named, "--trust-project"])).exitCode).toBe(0);
    expect(existsSync(ran)).toBe(true);

    const shown = await haft(["trust", "--hooks", path, "--yes"]);
    expect(shown.stdout).toContain(`touch ${ran}`);
    expect((await haft(named)).exitCode).toBe(0);
    put(path, file("true"));
    expect((await haft(named)).exitCode).toBe(2);
  });

  it("run after an import as they were trusted, in that workspace only", async () => {
    const place = openWorkspace();
    const { haft, directory, ran, file, home } = place;
    const path = join(directory, ".claude/settings.json");
    put(path, file(`touch ${ran}`));
    await haft(["hooks", "import", "claude"], { typed: ["y", "n"] });
    expect(await place.touch()).toBe(false);
    await haft(["hooks", "import", "claude", "--yes"]);
    expect(await place.touch()).toBe(true);
    put(path, file(`touch ${home}/evil`));
    expect(await place.touch()).toBe(true);
    expect(existsSync(join(home, "evil"))).toBe(false);
    const { stderr } = await haft(["call", "read", "path=a.txt"]);
    expect(stderr).toContain("Not trusted, so they have no effect: .claude/settings.json");
    put(path, "{ broken");
    expect(await place.touch()).toBe(true);
    rmSync(ran);
    await haft(["call", "read", "path=a.txt", "-C", home]);
    expect(existsSync(ran)).toBe(false);
  });

  it("are not replaced by an agent that writes the script of a hook", async () => {
    const { haft, directory, home, file } = openWorkspace({ "guard.sh": "exit 0\n" });
    put(join(home, ".claude/settings.json"), file('sh "$CLAUDE_PROJECT_DIR"/guard.sh'));
    await haft(["hooks", "import"], { typed: ["y", "n"] });
    const read = ["call", "read", "path=a.txt"];
    const before = await haft(read);
    expect([before.exitCode, before.stderr]).toEqual([
      denied,
      expect.stringContaining("guard.sh, which is not trusted as it is now"),
    ]);
    expect((await haft(["trust", "--yes"])).stdout).toContain("a script that a hook runs");
    const write = ["call", "write", "path=guard.sh", `content=touch ${home}/evil`, "--yes"];
    expect((await haft(write)).exitCode).toBe(0);
    expect(readFileSync(join(directory, "guard.sh"), "utf8")).toContain("evil");
    expect((await haft(read)).exitCode).toBe(denied);
    rmSync(join(directory, "guard.sh"));
    expect((await haft(read)).exitCode).toBe(denied);
    expect(existsSync(join(home, "evil"))).toBe(false);
  });
});
