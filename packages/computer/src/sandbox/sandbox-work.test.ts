import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import {
  openTestSandbox,
  type TestSandbox,
  type TestSandboxOptions,
} from "../test-support/open-test-sandbox.ts";
import { isRoot } from "../test-support/privileges.ts";
import { describeUser } from "./linux/sandbox-user.ts";

describe.skipIf(isMissing("bwrap"))("work in a sandbox", () => {
  let tested: TestSandbox;
  beforeAll(async () => {
    tested = await openTestSandbox();
  });
  afterAll(() => tested?.close());
  const open = async (options: TestSandboxOptions): Promise<TestSandbox> => {
    const opened = await openTestSandbox(options);
    onTestFinished(() => opened.close());
    return opened;
  };

  it("is done as a bash alone would do it", async () => {
    const workspace = tested.makeWorkspace();
    const command =
      'echo "$0 $# $- $$ $SHLVL"; echo err >&2; cat; set -x; : x; set +x; no-such; echo "$BASH_EXECUTION_STRING" | wc -c; pwd';
    const inside = await tested.run(workspace, command, { input: "from input\n" });
    const outside = execFileSync(
      "bash",
      ["-c", `(${"exec 2>&1; "}exec bash -c "$1") 2>&1`, "x", command],
      {
        cwd: workspace,
        input: "from input\n",
        encoding: "utf8",
        env: { PATH: process.env.PATH, SHLVL: "5" },
      },
    );
    const comparable = (text: string): string => text.replace(/hBc \d+ \d+/u, "hBc");
    expect(comparable(inside.output)).toBe(comparable(outside));
    expect(inside.exitCode).toBe(0);
  });

  it("can be a program with arguments, without a shell", async () => {
    const argv = ["/bin/echo", "$HOME", "*", "a b", ""] as const;
    const { output } = await tested.run(tested.makeWorkspace(), "", { argv });
    expect(output).toBe("$HOME * a b \n");
  });

  it("has an environment that fits its place", async () => {
    const { output } = await tested.run(tested.makeWorkspace(), "env; id -un; echo ~", {
      environment: {
        PATH: `/no/such:relative:${dirname(process.execPath)}:/usr/bin:/bin:${tested.base}`,
        GIVEN: "a\nb'\"$x",
        TMPDIR: "/elsewhere",
        TEMP: "/elsewhere",
        "odd-name": "x",
      },
    });
    const user = describeUser(tested.home).name;
    expect(output).toContain("GIVEN=a\nb'\"$x\n");
    expect(output).toContain("TMPDIR=/tmp\n");
    expect(output).toContain("TEMP=/tmp\n");
    expect(output).toContain(`PATH=${dirname(process.execPath)}:/usr/bin:/bin\n`);
    expect(output).toContain(`HOME=${tested.home}\n`);
    expect(output).toContain(`\n${user}\n${tested.home}\n`);
  });

  it("is done with node, python and perl", async () => {
    const workspace = tested.makeWorkspace({
      "package.json": '{"type":"module"}',
      "lib/add.js": "export const add = (a, b) => a + b;",
      "main.js":
        'import { add } from "./lib/add.js"; import { execFileSync } from "node:child_process"; import { availableParallelism, tmpdir } from "node:os"; import { mkdtempSync, writeFileSync } from "node:fs"; import { createServer, get } from "node:http"; writeFileSync(mkdtempSync(tmpdir() + "/x") + "/y", ""); const server = createServer((_, r) => r.end("served")).listen(0, "127.0.0.1", () => get(server.address(), (r) => r.on("data", (d) => { console.log(add(1, 2), String(execFileSync("echo", ["child"])).trim(), String(d), availableParallelism() > 0); server.close(); }).on("end", () => process.exit())));',
    });
    const { output } = await tested.run(
      workspace,
      `${process.execPath} main.js; perl -e 'print 1 + 2, "\\n"'; /usr/bin/python3 -c 'import ssl, json, subprocess, tempfile, multiprocessing; print(json.dumps([1, 2]), len(tempfile.mkdtemp()) > 3)'`,
    );
    expect(output).toBe("3 child served true\n3\n[1, 2] True\n");
  });

  it("is done with git: files are their user's inside, and whose they were outside", async () => {
    const workspace = tested.makeWorkspace({ file: "1\n" });
    execFileSync("git", ["init", "-q", workspace]);
    writeFileSync(
      join(tested.home, ".gitconfig"),
      "[user]\nname = Some One\nemail = o@example.com\n[alias]\nx = !id\n",
    );
    const { output, exitCode, notes } = await tested.run(
      workspace,
      `set -e; git add . && git commit -qm one; echo 2 >>file; git commit -qam two; git log --format='%an %s'; git stash list; git gc -q; git worktree add -q wt; git status --short; git clone -q . clone; git config --get alias.x || echo none; stat -c %U file`,
    );
    const user = describeUser(tested.home).name;
    expect(output).toBe(`Some One two\nSome One one\n?? wt/\nnone\n${user}\n`);
    expect({ exitCode, notes }).toEqual({ exitCode: 0, notes: [] });
    const { uid, gid } = statSync(workspace);
    for (const name of ["clone", "clone/.git/config", ".git/index"]) {
      expect(statSync(join(workspace, name))).toMatchObject({ uid, gid });
    }
    execFileSync("git", ["-C", workspace, "fsck", "--strict"], { stdio: "ignore" });
  });

  it("is done in a directory with an unusual name", async () => {
    for (const name of [
      "with space",
      "new\nline",
      "ünï✓",
      "-dash",
      "quote'\"$(id)",
      "a\\b",
      ".dot",
    ]) {
      const workspace = join(tested.base, "work", name);
      mkdirSync(workspace);
      writeFileSync(join(workspace, ".env"), "S=1");
      execFileSync("git", ["init", "-q", "."], { cwd: workspace });
      const { output } = await tested.run(
        workspace,
        'echo x >made; [ "$PWD" = "$(pwd -P)" ] && cat .env 2>&1',
      );
      expect(output).toMatch(/Permission denied\n$/u);
      expect(readdirSync(workspace).sort()).toEqual([".env", ".git", "made"]);
    }
  });

  it("is done in several directories, one in another, one only to be read", async () => {
    const [one, two, three] = [1, 2, 3].map(() => tested.makeWorkspace({ "in/file": "x" })) as [
      string,
      string,
      string,
    ];
    const { output } = await tested.run(
      one,
      `echo a >in/new; echo b >${two}/in/new; cat ${three}/in/file; echo c >${three}/in/new; echo d >${three}/in/deep/new`,
      {
        writable: [join(one, "in"), one, two, join(three, "in/deep")].filter(existsOrMade),
        readable: [three, one, join(tested.base, "missing")],
      },
    );
    expect(output).toMatch(/^x.*new: Read-only file system\n$/su);
    expect([one, two, three].map((root) => existsSync(join(root, "in/new")))).toEqual([
      true,
      true,
      false,
    ]);
    expect(existsSync(join(three, "in/deep/new"))).toBe(true);
  });

  it("is done where a workspace that is a link leads to", async () => {
    const base = mkdtempSync(join(tmpdir(), "haft-sandbox-"));
    mkdirSync(join(base, "real"));
    symlinkSync(join(base, "real"), join(base, "linked"));
    const linked = await open({ base, roots: [join(base, "linked")] });
    const { output } = await linked.run(join(base, "linked"), "pwd; echo x >made");
    expect(output).toBe(`${join(linked.base, "real")}\n`);
    expect(readdirSync(join(base, "real"))).toEqual(["made"]);
  });

  it("is done in a home that others do not get into, with none of the rest of it", async () => {
    const base = mkdtempSync(join(homedir(), ".haft-sandbox-"));
    chmodSync(base, 0o700);
    writeFileSync(join(base, "private"), "private");
    const inHome = await open({ base, home: homedir() });
    const workspace = inHome.makeWorkspace({ file: "x" });
    const { output } = await inHome.run(
      workspace,
      `cat file; echo y >made; cat ${base}/private 2>&1; ls -A ~ | grep -v '^\\.haft-sandbox' | head; touch ~/own && echo own`,
    );
    expect(output).toMatch(/^xcat: .*No such file/u);
    expect(output).toMatch(/own\n$/u);
    expect(readdirSync(workspace)).toEqual(["file", "made"]);
    for (const name of [".ssh", ".bash_history", ".gitconfig", ".config"]) {
      expect(output).not.toContain(`${name}\n`);
    }
    expect(existsSync(join(homedir(), "own"))).toBe(false);
  });

  it("finds the tools that people have in their homes, without their passwords", async () => {
    const base = mkdtempSync(join(tmpdir(), "haft-sandbox-"));
    const home = join(base, "home");
    const cargo = join(home, ".cargo");
    mkdirSync(join(cargo, "bin"), { recursive: true });
    writeFileSync(
      join(cargo, "bin/tool"),
      "#!/bin/sh\ncat ~/.cargo/config.toml ~/.cargo/credentials.toml\n",
      { mode: 0o755 },
    );
    writeFileSync(join(cargo, "config.toml"), "plain\n");
    writeFileSync(join(cargo, "credentials.toml"), "token\n");
    const path = process.env.PATH;
    process.env.PATH = `${join(cargo, "bin")}:${path}`;
    onTestFinished(() => {
      process.env.PATH = path;
    });
    const withTools = await open({ base, home });
    const { output } = await withTools.run(
      withTools.makeWorkspace(),
      "tool 2>&1; echo x >>~/.cargo/config.toml; ls -A ~",
    );
    expect(output).toMatch(
      /^plain\ncat: .*Permission denied\n.*Read-only file system\n\.cargo\n$/u,
    );
  });

  it.runIf(isRoot)("belongs to the owner of the workspace if root runs it", async () => {
    const base = mkdtempSync(join(tmpdir(), "haft-sandbox-"));
    mkdirSync(join(base, "work"));
    execFileSync("chown", ["1234:2345", join(base, "work")]);
    const others = await open({ base });
    const { output } = await others.run(join(base, "work"), "echo x >made; stat -c %u:%g made .");
    expect(output).toBe("1000:1000\n1000:1000\n");
    expect(statSync(join(base, "work/made"))).toMatchObject({ uid: 1234, gid: 2345 });
  });

  it("continues after the system's /etc changed", async () => {
    const directory = join(tested.place.stateDirectory, "sandbox");
    for (const name of readdirSync(directory)) {
      if (name.startsWith("etc-")) rmSync(join(directory, name), { recursive: true });
    }
    expect((await tested.run(tested.makeWorkspace(), "id -u >/dev/null")).exitCode).toBe(0);
  });
});

function existsOrMade(path: string): boolean {
  mkdirSync(path, { recursive: true });
  return true;
}
