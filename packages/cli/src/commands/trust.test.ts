import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { errorCodes } from "@haft/contract";
import { toVisibleText } from "@haft/core/internal";
import { describe, expect, it } from "vitest";
import { createTestWorkspace, type TestWorkspace } from "../test-support/run-haft.ts";

const headless = errorCodes.headless.exitCode;
const touch = ["call", "bash", "command=touch ran", "--sandbox", "off"];

function put(path: string, content: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { mode });
}

async function hasRun(
  { haft, directory }: TestWorkspace,
  args: readonly string[] = touch,
): Promise<boolean> {
  rmSync(join(directory, "ran"), { force: true });
  await haft(args);
  return existsSync(join(directory, "ran"));
}

describe("the rules of a clone", () => {
  it.each([
    "bash * allow",
    "bash touch ran allow",
    "* * allow",
    "* ** allow",
    "shell.run * allow",
    "bash@sandbox * allow\nbash * allow",
  ])("run nothing unasked before a person has trusted them: %s", async (rules) => {
    const workspace = createTestWorkspace({ ".haft/rules": `${rules}\n` });
    const { exitCode, stderr } = await workspace.haft(touch);
    expect([exitCode, existsSync(join(workspace.directory, "ran"))]).toEqual([headless, false]);
    expect(stderr).toMatch(
      /^haft: Not trusted, so they have no effect: \.haft\/rules \(\d rules? that allows?\)\. Review them with: haft trust\n/u,
    );
    expect((await workspace.haft(["trust", "--yes"])).exitCode).toBe(0);
    expect(await hasRun(workspace)).toBe(true);
  });

  it("are not trusted by --yes, which is about the call", async () => {
    const workspace = createTestWorkspace({ ".haft/rules": "bash touch ran allow\n" });
    expect(await hasRun(workspace, [...touch, "--yes"])).toBe(true);
    expect(await hasRun(workspace)).toBe(false);
  });

  it("hold for one run with --trust-project, and not for the next", async () => {
    const workspace = createTestWorkspace({ ".haft/rules": "bash touch ran allow\n" });
    expect(await hasRun(workspace, [...touch, "--trust-project"])).toBe(true);
    expect(await hasRun(workspace)).toBe(false);
    expect(existsSync(join(workspace.state, "trust"))).toBe(false);
  });

  it("deny and ask before anybody trusts them, without a word about it", async () => {
    const workspace = createTestWorkspace({
      ".haft/rules": "bash touch * deny\nread a.txt ask\n",
      "a.txt": "",
    });
    const denied = await workspace.haft([...touch, "--yes"]);
    expect(denied.stderr).toContain('project rule "bash touch * deny"');
    expect(denied.stderr).not.toContain("haft trust");
    expect((await workspace.haft(["call", "read", "path=a.txt"])).exitCode).toBe(headless);
  });

  it("soften no rule of the user", async () => {
    const { haft } = createTestWorkspace({
      ".haft/rules": "bash touch ran ask\nbash touch ran allow\n",
    });
    await haft(["permissions", "add", "bash touch * deny", "--scope", "session"]);
    expect((await haft([...touch, "--yes", "--json"])).json()).toMatchObject({
      metadata: { error_code: "denied" },
    });
  });

  it("are asked about line by line: a pull that adds one does not end the others", async () => {
    const workspace = createTestWorkspace({ ".haft/rules": "# ours\nbash touch ran allow\n" });
    const { haft, directory } = workspace;
    await haft(["trust", "--yes"]);
    put(
      join(directory, ".haft/rules"),
      "bash touch other allow\n\n# moved\nbash touch ran allow\n",
    );
    expect(await hasRun(workspace)).toBe(true);
    expect((await haft(["call", "bash", "command=touch other", "--sandbox", "off"])).exitCode).toBe(
      headless,
    );
    const shown = await haft(["trust"]);
    expect(shown.exitCode).toBe(1);
    expect(shown.stdout).toContain("  + bash touch other allow\n");
    expect(shown.stdout).not.toContain("touch ran");
  });

  it("are trusted only if the user made them", async () => {
    const workspace = createTestWorkspace({ ".haft/rules": "bash touch ran allow\n" });
    const { haft, directory } = workspace;
    await haft(["permissions", "add", "bash touch mine allow"]);
    await haft(["call", "bash", "command=touch asked", "--sandbox", "off"], { typed: ["q", "p"] });
    expect(readFileSync(join(directory, ".haft/rules"), "utf8")).toContain("touch asked allow");
    for (const [name, exitCode] of [
      ["mine", 0],
      ["asked", 0],
      ["ran", headless],
    ] as const) {
      const command = `command=touch ${name}`;
      expect((await haft(["call", "bash", command, "--sandbox", "off"])).exitCode).toBe(exitCode);
    }
  });

  it.each([
    "write .git/hooks/pre-commit allow",
    "write .git/hooks/** allow",
    "fs.write .git/hooks/pre-commit allow",
    "* .git/hooks/pre-commit allow",
    "write@sandbox .git/hooks/pre-commit allow\nwrite .git/hooks/pre-commit allow",
    "* * allow",
  ])("lift no protected path, trusted or not: %s", async (rules) => {
    const { haft, directory } = createTestWorkspace({
      ".haft/rules": `${rules}\n`,
      ".git/HEAD": "",
    });
    const write = ["call", "write", "path=.git/hooks/pre-commit", "content=evil", "--yes"];
    for (const more of [[], ["--trust-project"]]) {
      expect((await haft([...write, ...more, "--json"])).json()).toMatchObject({
        metadata: { error_code: "denied" },
      });
    }
    await haft(["trust", "--yes"]);
    expect((await haft(write)).stderr).toContain("Refusing to change");
    expect(existsSync(join(directory, ".git/hooks"))).toBe(false);
    const own = "write .git/hooks/pre-commit allow";
    expect((await haft([...write, "--rule", own])).exitCode).toBe(0);
  });

  it("lift no protection of rules and settings themselves", async () => {
    const lines = "write .haft/rules allow\nwrite .haft/settings.json allow\n";
    const { haft } = createTestWorkspace({ ".haft/rules": lines });
    await haft(["trust", "--yes"]);
    for (const path of [".haft/rules", ".haft/settings.json"]) {
      const { stderr } = await haft(["call", "write", `path=${path}`, "content=x", "--yes"]);
      expect(stderr).toContain("Refusing to change");
    }
  });

  it.each<[string, (directory: string) => void]>([
    ["their directory is a link", (at) => symlinkSync("writable", join(at, ".haft"))],
    [
      "a chain of links leads to them",
      (at) => {
        symlinkSync("writable", join(at, "one"));
        symlinkSync("one", join(at, "two"));
        symlinkSync("two", join(at, ".haft"));
      },
    ],
    [
      "they are a link",
      (at) => {
        mkdirSync(join(at, ".haft"));
        symlinkSync("../writable/rules", join(at, ".haft/rules"));
      },
    ],
    [
      "they are a pipe",
      (at) => {
        mkdirSync(join(at, ".haft"));
        execFileSync("mkfifo", [join(at, ".haft/rules")]);
      },
    ],
    [
      "they are huge",
      (at) => put(join(at, ".haft/rules"), "bash touch ran allow\n".repeat(100_000)),
    ],
  ])("allow nothing if %s, even with trust", async (_, make) => {
    const workspace = createTestWorkspace({ "writable/rules": "bash touch ran allow\n" });
    make(workspace.directory);
    await workspace.haft(["trust", "--yes"]);
    expect(await hasRun(workspace)).toBe(false);
    expect(await hasRun(workspace, [...touch, "--trust-project"])).toBe(false);
    const { stderr } = await workspace.haft(touch);
    expect(stderr).toMatch(/\.haft\/rules .*\. Replace it with a regular file, or remove it/u);
  });

  it("of another name are ignored", async () => {
    const workspace = createTestWorkspace({ ".HAFT/rules": "bash touch ran allow\n" });
    expect(await hasRun(workspace, [...touch, "--trust-project"])).toBe(false);
  });

  it("are asked about again in a copy of the workspace, and in one inside it", async () => {
    const workspace = createTestWorkspace({ ".haft/rules": "bash touch ran allow\n" });
    const { haft, directory } = workspace;
    await haft(["trust", "--yes"]);
    for (const other of [join(directory, "../copy"), join(directory, "nested")]) {
      mkdirSync(other);
      cpSync(join(directory, ".haft"), join(other, ".haft"), { recursive: true });
      expect((await haft([...touch, "-C", other])).exitCode).toBe(headless);
      expect(existsSync(join(other, "ran"))).toBe(false);
    }
    expect(await hasRun(workspace)).toBe(true);
  });
});

describe("the question about a workspace's files", () => {
  it("is put once, and a yes lasts", async () => {
    const workspace = createTestWorkspace({ ".haft/rules": "bash touch ran allow\n" });
    const asked = await workspace.haft(touch, { typed: ["y"] });
    expect(asked.exitCode).toBe(0);
    expect(asked.stderr).toContain(
      ".haft/rules: rules that allow calls without asking you.\n  + bash touch ran allow\n",
    );
    expect((await workspace.haft(touch, { typed: [] })).stderr).not.toContain("trust");
  });

  it('is asked again after "not now", but after "never" only if the content changes', async () => {
    const { haft, directory } = createTestWorkspace({ ".haft/rules": "bash touch ran allow\n" });
    const ask = async (...typed: string[]): Promise<boolean> =>
      (await haft(touch, { typed: [...typed, "n"] })).stderr.includes("until you trust them");
    expect(await ask("n")).toBe(true);
    expect(await ask("what", "v")).toBe(true);
    expect(await ask()).toBe(false);
    expect((await haft(touch)).stderr).not.toContain("haft trust");
    appendFileSync(join(directory, ".haft/rules"), "bash other allow\n");
    expect((await haft(touch, { typed: ["n", "n"] })).stderr).toMatch(/\+ bash other allow\n\n/u);
    expect((await haft(["trust", "--list"])).stdout).toMatch(
      /^declined {2}rules .*touch ran allow$/mu,
    );
  });

  it("shows a difference when a file has changed, and everything of a new one", async () => {
    const { haft, directory } = createTestWorkspace({
      ".haft/agents/scout.md": "---\ndescription: Scouts.\n---\nLook around.\n",
    });
    const shown = await haft(["trust"], { typed: ["y"] });
    expect(shown.stderr).toContain("  | description: Scouts.\n");
    expect([shown.exitCode, shown.stdout]).toEqual([0, "Trusted: 1 of 1.\n"]);
    put(join(directory, ".haft/agents/scout.md"), "---\ndescription: Scouts.\n---\nSteal.\n");
    const { stdout } = await haft(["trust"]);
    expect(stdout).toContain("It has changed since you trusted it:\n");
    expect(stdout).toContain("  -Look around.\n  +Steal.\n");
  });

  it("makes characters visible that hide or steer", async () => {
    const { haft, directory } = createTestWorkspace({
      ".haft/rules": "bash ls \u202e allow\n",
      ".haft/agents/a\nTrust\u001b[2J.md": "x",
    });
    const script = "#!/bin/sh\n# \u202e\u200b\u{e0041}\u001b[2J\r\nrm x\n";
    put(join(directory, ".haft/toolbox/a"), script, 0o755);
    const { stdout } = await haft(["trust"]);
    expect(stdout).toContain("\\u{202e}");
    expect(stdout).toContain("\\u{1b}[2J");
    expect(stdout).toContain(".haft/agents/a\\u{a}Trust");
    expect(toVisibleText(stdout)).toBe(stdout);
  });

  it("is one line in a session that is not interactive", async () => {
    const files = Array.from({ length: 8 }, (_, at) => [`.haft/agents/a${at}.md`, "x"]);
    const { haft } = createTestWorkspace({
      ...Object.fromEntries(files),
      "a.txt": "",
      ".haft/settings.json": '{"model": "openai/x"}',
    });
    const { stderr } = await haft(["call", "glob", "pattern=*", "--yes"]);
    expect(stderr).toBe(
      "haft: Not trusted, so they have no effect: .haft/settings.json, .haft/agents/a0.md, .haft/agents/a1.md, .haft/agents/a2.md, .haft/agents/a3.md and 4 more. Review them with: haft trust\n",
    );
  });
});

describe("haft trust", () => {
  it("tells scripts what there is, trusts on an explicit word, lists and forgets", async () => {
    const { haft, directory } = createTestWorkspace({
      ".haft/rules": "bash ls allow\nbash rm deny\n",
      ".haft/settings.json": "{}",
    });
    const listed = await haft(["trust", "--json"]);
    expect(listed.exitCode).toBe(1);
    expect(listed.json()).toMatchObject({
      workspace: directory,
      untrusted: [
        { kind: "rules", change: "new", shown: "+ bash ls allow\n+ bash rm deny" },
        { kind: "settings", path: join(directory, ".haft/settings.json"), shown: "| {}" },
      ],
      trusted: [],
    });
    expect((await haft(["trust", "--yes", ".haft/settings.json"])).exitCode).toBe(0);
    expect((await haft(["trust", "--json"])).json()).toMatchObject({
      untrusted: [{ kind: "rules" }],
    });
    expect((await haft(["trust", "--yes"])).exitCode).toBe(0);
    expect((await haft(["trust"])).stdout).toBe("Nothing needs your trust.\n");
    expect((await haft(["trust", "--list", "--json"])).json<object[]>()).toHaveLength(3);
    expect((await haft(["trust", "--remove", ".haft/rules"])).stdout).toBe("Forgot 2 answers.\n");
    expect((await haft(["trust", "--remove"])).stdout).toBe("Forgot 1 answer.\n");
    expect((await haft(["trust", "--list"])).stdout).toContain(
      "You have not trusted anything here yet.",
    );
    expect((await haft(["trust"])).exitCode).toBe(1);
  });

  it("says when there is nothing that could be trusted", async () => {
    const { haft, directory } = createTestWorkspace();
    put(join(directory, "../outside.yaml"), "tools: []");
    for (const [path, reason] of [
      ["gone", "gone does not exist"],
      ["../outside.yaml", "is outside the workspace"],
    ] as const) {
      const { exitCode, stderr } = await haft(["trust", path]);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(reason)]);
    }
    expect((await haft(["trust", "--list", "--remove"])).exitCode).toBe(2);
  });

  it("is given to a script by its path", async () => {
    const { haft, directory } = createTestWorkspace();
    put(join(directory, "tools/a"), "#!/bin/sh\necho 'description: x'\n", 0o755);
    const test = ["toolbox", "test", "./tools/a", "--sandbox", "off"];
    expect((await haft(test)).stderr).toContain("haft trust");
    expect((await haft(["trust", "--yes", "tools/a"])).stdout).toContain("Trusted: 1 of 1.");
    expect((await haft(test)).exitCode).toBe(0);
  });

  it("does not carry over to other content under the same name", async () => {
    const script = `#!/bin/bash\nif [ "$TOOLBOX_ACTION" = describe ]; then echo 'description: x'; exit; fi\n`;
    const workspace = createTestWorkspace();
    const { haft, directory } = workspace;
    const path = join(directory, ".haft/toolbox/a");
    put(path, `${script}echo good\n`, 0o755);
    const run = ["call", "tb__a", "--yes", "--sandbox", "off", "--json"];
    expect((await haft(run)).json()).toMatchObject({ metadata: { error_code: "unknown-tool" } });
    await haft(["trust", "--yes"]);
    expect((await haft(run)).json()).toMatchObject({ data: { output: "good\n" } });
    put(path, `${script}echo evil\n`, 0o755);
    expect((await haft(run)).json()).toMatchObject({ metadata: { error_code: "unknown-tool" } });
    rmSync(path);
    put(join(directory, "real"), `${script}echo good\n`, 0o755);
    symlinkSync("../../real", path);
    expect((await haft(run)).json()).toMatchObject({ data: { output: "good\n" } });
    appendFileSync(join(directory, "real"), "echo evil\n");
    expect((await haft(run)).json()).toMatchObject({ metadata: { error_code: "unknown-tool" } });
  });
});
