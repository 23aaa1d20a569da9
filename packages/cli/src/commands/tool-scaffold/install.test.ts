import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTestWorkspace, type Situation } from "../../test-support/run-haft.ts";
import { serveWire } from "../../test-support/wire/serve-wire.ts";

const wheel = "amigo_tool_scaffold-1.2.3-py3-none-any.whl";

interface Programs {
  readonly version?: string;
  readonly fails?: boolean;
  /** The real one takes its time. */
  readonly npm?: "real";
}

/** Two tools in Node, one in Python; scripts stand in for uv, and for npm unless the real one is asked for. */
async function open(uv: Programs = {}) {
  const { haft, directory, state } = createTestWorkspace({
    "one/tool.json": '{"name": "one", "runtime": "node"}',
    "group/two/tool.json": '{"name": "two"}',
    "snake/tool.json": '{"name": "snake", "runtime": "python"}',
    "one/node_modules/dependency/tool.json": '{"name": "not_ours"}',
    ".git/tool.json": '{"name": "not_ours"}',
  });
  const home = dirname(state);
  const programs = join(home, "programs");
  mkdirSync(programs);
  const log = join(home, "uv.log");
  const script = `#!/bin/sh
[ "$1" = --version ] && { echo "uv ${uv.version ?? "0.10.2"} (abc)"; exit; }
echo "$PWD $*" >> '${log}'
[ "$1" = venv ] && mkdir .venv
echo "from uv"
${uv.fails ? 'echo "no such wheel" >&2; exit 3' : ""}
`;
  writeFileSync(join(programs, "uv"), script, { mode: 0o755 });
  if (uv.npm !== "real") writeFileSync(join(programs, "npm"), fakeNpm, { mode: 0o755 });
  const archive = packPackage(home);
  const wire = await serveWire(({ path, query }, response) => {
    if (path !== "/tool/amigo_tool_scaffold.tar.gz" || query.get("form") !== "package")
      return false;
    const isNode = query.get("runtime") === "node";
    const name = isNode ? "amigo_tool_scaffold-1.2.3.tgz" : wheel;
    response.setHeader("content-disposition", `attachment; filename="${name}"`);
    response.writeHead(200).end(isNode ? archive : "a wheel");
    return true;
  });
  const install = (args: readonly string[], situation: Situation = {}) =>
    haft(["tool-scaffold", "install", ...args], {
      ...situation,
      environment: {
        HOME: home,
        PATH: [programs, process.env.PATH].join(delimiter),
        npm_config_offline: "true",
        npm_config_update_notifier: "false",
        ...wire.environment,
        ...situation.environment,
      },
    });
  const uvCalls = (): string[] =>
    existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
  const hasPackage = (folder: string): boolean =>
    existsSync(join(directory, folder, "node_modules/amigo_tool_scaffold/package.json"));
  return { ...wire, install, uvCalls, hasPackage, directory, programs };
}

const fakeNpm = `#!/bin/sh
[ "$1" = --version ] && { echo 10.0.0; exit; }
for file; do :; done
mkdir -p node_modules/amigo_tool_scaffold
tar -xzf "$file" --strip-components=1 -C node_modules/amigo_tool_scaffold
`;

/** An npm package without dependencies, whose install script must not run. */
function packPackage(home: string): Buffer {
  const folder = join(home, "pack", "package");
  mkdirSync(folder, { recursive: true });
  const manifest = {
    name: "amigo_tool_scaffold",
    version: "1.2.3",
    scripts: { postinstall: "touch ran" },
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  execFileSync("tar", ["-czf", join(home, "p.tgz"), "-C", dirname(folder), "package"]);
  return readFileSync(join(home, "p.tgz"));
}

describe("haft tool-scaffold install", () => {
  it("installs for every tool, with what each is written in", async () => {
    const { install, hasPackage, uvCalls, directory } = await open({ npm: "real" });
    const ran = await install(["--all"]);
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    expect(ran.stdout).toBe("✓ two (group/two)\n✓ one (one)\n✓ snake (snake)\n");
    expect([hasPackage("one"), hasPackage("group/two")]).toEqual([true, true]);
    const installed = join(directory, "one/node_modules/amigo_tool_scaffold");
    expect(existsSync(join(installed, "ran"))).toBe(false);
    expect(uvCalls()).toEqual([
      `${directory}/snake venv`,
      expect.stringMatching(
        new RegExp(
          `^${directory}/snake pip install --python \\.venv --no-deps \\S+/${wheel}$`,
          "u",
        ),
      ),
    ]);
    await install(["-t", "snake"]);
    expect(uvCalls().filter((line) => line.endsWith(" venv")).length).toBe(1);
  });

  it("installs for the tools that are named, by name or folder", async () => {
    const { install, hasPackage, requests } = await open();
    expect((await install(["-t", "one", "--json"])).json()).toMatchObject([
      { tool: "one", installed: true },
    ]);
    expect([hasPackage("one"), hasPackage("group/two")]).toEqual([true, false]);
    await install(["--tool", "./group/two/"]);
    expect(hasPackage("group/two")).toBe(true);
    expect(requests.filter(({ query }) => query.get("runtime") === "python")).toEqual([]);
  });

  it("asks which, where somebody can be asked", async () => {
    const { install, uvCalls, hasPackage } = await open();
    const ran = await install([], { typed: ["9", "1, 3"] });
    expect(ran.exitCode).toBe(0);
    expect(ran.stderr).toContain("  1  two (node, group/two)\n  2  one (node, one)\n");
    expect(ran.stderr).toContain("enter numbers from 1 to 3");
    expect([hasPackage("group/two"), hasPackage("one"), uvCalls().length]).toEqual([
      true,
      false,
      2,
    ]);
    expect(await install([], { typed: [""] })).toMatchObject({ exitCode: 2 });
    expect(await install([])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--tool TOOL or --all"),
    });
  });

  it.each([
    ["0.9.30", "this is 0.9.30"],
    ["0.10.1", "Tools in python need uv 0.10.2 or newer; this is 0.10.1. Install it with: pip"],
    ["unknown", "prints no version"],
  ])("refuses uv %s before anything is changed", async (version, why) => {
    const { install, uvCalls, hasPackage, requests } = await open({ version });
    const ran = await install(["--all"]);
    expect(ran).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(why) });
    expect([uvCalls(), hasPackage("one"), requests.length]).toEqual([[], false, 0]);
    expect((await install(["-t", "one"])).exitCode).toBe(0);
  });

  it("uses Python's own venv and pip if uv is missing", async () => {
    const { install, programs, directory, uvCalls } = await open();
    rmSync(join(programs, "uv"));
    const log = join(dirname(programs), "uv.log");
    const script = `#!/bin/sh
[ "$1" = --version ] && { echo "Python 3.9.0"; exit; }
echo "$PWD $0 $*" >> '${log}'
[ "$2" = venv ] && /bin/mkdir -p .venv/bin && /bin/cp "$0" .venv/bin/python
exit 0
`;
    writeFileSync(join(programs, "python3"), script, { mode: 0o755 });
    const environment = { PATH: programs };
    for (const _ of [1, 2]) {
      expect(await install(["-t", "snake"], { environment })).toMatchObject({ exitCode: 0 });
    }
    const snake = `${directory}/snake`;
    const pip = expect.stringMatching(
      new RegExp(`^${snake} \\.venv/bin/python -m pip install .*--no-deps \\S+/${wheel}$`, "u"),
    );
    expect(uvCalls()).toEqual([
      `${snake} ${programs}/python3 -m venv .venv`,
      pip,
      `${snake} .venv/bin/python -m ensurepip`,
      pip,
    ]);
  });

  it("says that a package manager is missing", async () => {
    const { install, programs } = await open();
    rmSync(join(programs, "uv"));
    rmSync(join(programs, "npm"));
    const environment = { PATH: programs };
    expect(await install(["-t", "snake"], { environment })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(
        "need uv 0.10.2 or newer or python3 3.9.0 or newer, which is not installed. Install it",
      ),
    });
    expect(await install(["-t", "one"], { environment })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(
        "need npm 10.0.0 or newer, which is not installed. Install it",
      ),
    });
  });

  it("continues after a failure, and reports it", async () => {
    const { install, hasPackage } = await open({ fails: true });
    const ran = await install(["--all"]);
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout).toBe("✓ two (group/two)\n✓ one (one)\n");
    expect(ran.stderr).toMatch(/^✗ snake \(snake\): uv venv ended with 3:\nno such wheel\n$/u);
    expect(hasPackage("one")).toBe(true);
    const json = await install(["-t", "snake", "--json"]);
    expect(json.json()).toMatchObject([
      { tool: "snake", installed: false, error: expect.any(String) },
    ]);
  });

  it("shows commands and what they print with --verbose", async () => {
    const { install } = await open();
    const { stderr } = await install(["-t", "snake", "-v"]);
    expect(stderr).toContain("snake$ uv venv\nfrom uv\n");
    expect(stderr).toContain("snake$ uv pip install --python .venv --no-deps ");
  });

  it.each([
    [["--all", "-t", "one"], "exclude each other"],
    [["-t", "onne"], "Did you mean one?"],
    [["extra", "--all"], 'takes no arguments, but got "extra"'],
  ])("refuses %j", async (words, why) => {
    const { install } = await open();
    expect(await install(words)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(why),
    });
  });

  it("says what is wrong with a tool.json, and that there are no tools", async () => {
    const { environment } = await serveWire();
    const { haft } = createTestWorkspace({ "bad/tool.json": '{"name": "a", "runtime": "perl"}' });
    const ran = await haft(["tool-scaffold", "install", "--all"], { environment });
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain('runtime must be node or python, not "perl"');
    expect(ran.stderr).toContain("Create a tool with: haft tool init NAME");
    expect(await haft(["tool-scaffold"])).toMatchObject({ exitCode: 2 });
  });
});
