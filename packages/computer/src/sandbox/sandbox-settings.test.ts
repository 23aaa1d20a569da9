import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import {
  openTestSandbox,
  type TestRun,
  type TestSandbox,
} from "../test-support/open-test-sandbox.ts";

let tested: TestSandbox;

beforeAll(async () => {
  if (!isMissing("bwrap")) tested = await openTestSandbox();
});
afterAll(() => tested?.close());

const run = (workspace: string, command: string): Promise<TestRun> =>
  tested.run(workspace, `{ ${command}; } 2>&1`);
const readAt = (workspace: string, file: string): string =>
  readFileSync(join(workspace, file), "utf8");

const settings = [
  ".haft/rules",
  ".haft/settings.json",
  ".amp/settings.json",
  ".claude/settings.local.json",
  ".claude/hooks/x.sh",
  ".cursor/mcp.json",
  ".cursor/hooks.json",
  ".vscode/tasks.json",
  ".VSCode/Settings.json",
  ".vscode/mcp.json",
  "all.code-workspace",
  ".gemini/settings.json",
  ".codex/config.toml",
  "opencode.json",
  ".opencode/plugin/x.ts",
  ".zed/tasks.json",
  ".devcontainer/devcontainer.json",
  ".devcontainer.json",
  ".husky/pre-commit",
  ".envrc",
  ".windsurf/mcp_config.json",
  ".kiro/settings/mcp.json",
  ".idea/startup.xml",
  ".hg/hgrc",
];

describe.skipIf(isMissing("bwrap"))("settings of agents and editors in a sandbox", () => {
  it.each(settings)("can't be changed, moved or removed: %s", async (name) => {
    const workspace = tested.makeWorkspace({ [`sub/${name}`]: "old" });
    const [top = ""] = name.split("/");
    await run(
      workspace,
      `cd sub; echo new >${name}; echo new >x; mv -f x ${name}; rm -rf ${name}; mv ${top} moved; mkdir -p $(dirname ${name}); echo new >${name}; rm -rf ${top}`,
    );
    expect(readAt(workspace, `sub/${name}`)).toBe("old");
  });

  it("are removed if a command made them, however it did", async () => {
    const workspace = tested.makeWorkspace();
    const make = settings.map((name) => `mkdir -p "$(dirname ${name})"; echo {} >${name}`);
    const { notes } = await run(
      workspace,
      `${make.join("; ")}; cp -r . /tmp/all; cp -r /tmp/all sub; mkdir -p later/v; echo {} >later/v/tasks.json; mv later/v later/.vscode
      mkdir pipe; mkfifo pipe/.envrc pipe/.mcp.json; mkdir -p directory/.mcp.json/x; mkdir -p unreadable/.zed/x; chmod 000 unreadable/.zed/x`,
    );
    for (const name of settings) {
      expect([name, existsSync(join(workspace, name))]).toEqual([name, false]);
      expect([name, existsSync(join(workspace, "sub", name))]).toEqual([name, false]);
    }
    const left = execFileSync("find", [workspace, "-type", "f", "-o", "-type", "p"], {
      encoding: "utf8",
    });
    expect(left).toBe("");
    expect(notes.every((note) => note.includes("was removed"))).toBe(true);
    expect(notes.join("\n")).toContain("another program would read it as the user's settings");
  });

  it("may have neighbours, and packages may have their own", async () => {
    const workspace = tested.makeWorkspace({ ".vscode/settings.json": "{}", ".claude/": "" });
    const { notes, exitCode } = await run(
      workspace,
      `set -e; echo {} >.vscode/extensions.json; mkdir -p .claude/skills/x .cursor/rules node_modules/x/.vscode .haft/toolbox
      echo x >.claude/skills/x/SKILL.md; echo x >node_modules/x/.vscode/settings.json; ln -s ../x node_modules/x/.haft; rm -r node_modules; echo x >.haft/toolbox/x`,
    );
    expect({ notes, exitCode }).toEqual({ notes: [], exitCode: 0 });
  });
});

describe.skipIf(isMissing("bwrap"))("a link that leads to settings", () => {
  const names = [".haft", ".HAFT", ".amp", ".claude", ".agents", ".vscode", ".cursor", ".husky"];

  it.each(names)("is removed if a command made it: %s", async (name) => {
    const workspace = tested.makeWorkspace({ "conf/rules": "mine", "sub/": "" });
    const { notes } = await run(
      workspace,
      `ln -s conf ${name}; ln -s ../conf sub/${name}; ln -s /etc x; mv x conf/${name}`,
    );
    expect(notes).toHaveLength(3);
    for (const path of [name, `sub/${name}`, `conf/${name}`]) {
      expect(lstatSync(join(workspace, path), { throwIfNoEntry: false })).toBeUndefined();
    }
    expect(readAt(workspace, "conf/rules")).toBe("mine");
  });

  it("protects what it leads to, if it was there before", async () => {
    const workspace = tested.makeWorkspace({
      "conf/rules": "old",
      "conf/settings.json": "old",
      "vs/tasks.json": "old",
      "one/rules": "old",
      "hook.sh": "old",
    });
    for (const [target, link] of [
      ["conf", ".haft"],
      ["vs", "indirect"],
      ["indirect", ".vscode"],
      ["../../one/rules", "sub/.haft/rules"],
      ["../../hook.sh", ".claude/hooks/x.sh"],
    ] as const) {
      mkdirSync(dirname(join(workspace, link)), { recursive: true });
      symlinkSync(target, join(workspace, link));
    }
    await run(
      workspace,
      `for f in conf/rules conf/settings.json vs/tasks.json one/rules hook.sh; do echo new >$f; rm -f $f; mv $f moved; done; echo x >conf/notes`,
    );
    for (const file of [
      ...["conf/rules", "conf/settings.json", "vs/tasks.json", "one/rules", "hook.sh"],
      ...[".haft/rules", ".vscode/tasks.json", "sub/.haft/rules"],
    ]) {
      expect([file, readAt(workspace, file)]).toEqual([file, "old"]);
    }
    expect(readAt(workspace, "conf/notes")).toBe("x\n");
  });

  it.each([
    "mkdir conf; echo new >conf/rules",
    "mkdir other; echo new >other/rules; ln -s other conf",
    "rm .haft; mkdir .haft; echo new >.haft/rules",
    "rm .haft; ln -s x .haft; mkdir x; echo new >x/rules",
    "mkdir -p a; ln -s a conf; echo new >a/rules; chmod 111 a",
  ])("leads to nothing that a command made: %s", async (command) => {
    const workspace = tested.makeWorkspace();
    symlinkSync("conf", join(workspace, ".haft"));
    const { notes } = await run(workspace, command);
    expect(notes.length).toBeGreaterThan(0);
    expect(existsSync(join(workspace, ".haft/rules"))).toBe(false);
  });

  it("leads in a circle, or to the workspace itself", async () => {
    const workspace = tested.makeWorkspace({ rules: "old", file: "x" });
    symlinkSync(".", join(workspace, ".haft"));
    symlinkSync(".claude", join(workspace, ".claude"));
    mkdirSync(join(workspace, "sub"));
    symlinkSync("..", join(workspace, "sub/.haft"));
    const { exitCode } = await run(workspace, "echo new >file; echo new >rules; true");
    expect(exitCode).toBe(0);
    expect([readAt(workspace, "file"), readAt(workspace, "rules")]).toEqual(["new\n", "old"]);
  });
});

describe.skipIf(isMissing("bwrap"))("a protected file with a second name", () => {
  it("is not changed for good by that name", async () => {
    const workspace = tested.makeWorkspace();
    await run(workspace, "git init -q .; git config user.name x; ln .git/config second");
    const { notes } = await run(workspace, "printf '[core]\\nfsmonitor = ./x\\n' >>second");
    expect(notes).toEqual([]);
    expect(readAt(workspace, ".git/config")).not.toContain("fsmonitor");
  });

  it("is noticed even if a person made it", async () => {
    const workspace = tested.makeWorkspace({ "second.json": "old" });
    mkdirSync(join(workspace, ".vscode"));
    linkSync(join(workspace, "second.json"), join(workspace, ".vscode/tasks.json"));
    writeFileSync(join(workspace, "other"), "");
    expect((await run(workspace, "cat second.json")).notes).toEqual([]);
    const { notes } = await run(workspace, "echo new >second.json");
    expect(notes).toHaveLength(1);
    expect(existsSync(join(workspace, ".vscode/tasks.json"))).toBe(false);
  });
});
