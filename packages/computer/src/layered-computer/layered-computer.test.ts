import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type RequirementSet, ToolError } from "@haft/contract";
import type { RunScope } from "@haft/core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { closeBrokers } from "../broker/broker.ts";
import { createDiskComputer, type DiskComputer } from "../disk/disk-computer.ts";
import { findProcesses, uniqueSleep } from "../test-support/find-processes.ts";
import { readText } from "../test-support/open-scope.ts";
import { makeRunScope } from "../test-support/run-scope.ts";

interface Base {
  readonly root: string;
  readonly state: string;
  readonly computer: DiskComputer;
}

function openBase(sandbox: "auto" | "off" = "auto"): Base {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-")));
  const [root, state, outside] = ["workspace", "state", "outside"].map((name) => join(base, name));
  for (const directory of [root, outside]) mkdirSync(directory as string);
  writeFileSync(join(outside as string, "x"), "outside\n");
  const computer = createDiskComputer({
    workspace: root as string,
    stateDirectory: state as string,
    sandbox,
  });
  return { root: root as string, state: state as string, computer };
}

function closeBase({ root }: Base): void {
  closeBrokers();
  rmSync(dirname(root), { recursive: true, force: true });
}

describe.skipIf(isMissing("bwrap"))("a computer on a layer", () => {
  let base: Base;
  beforeAll(() => {
    base = openBase();
  });
  afterAll(() => closeBase(base));

  /** Opens a layer over the workspace with these files. */
  const open = async (
    files: Readonly<Record<string, string>>,
    task: Partial<RunScope> & { requires?: RequirementSet } = {},
  ) => {
    const { root } = base;
    for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
    const write = (name: string, content: string): void => {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), content);
    };
    for (const [name, content] of Object.entries(files)) write(name, content);
    const parent = makeRunScope(base.computer, { callId: "task", ...task });
    const { computer: layered, apply } = await base.computer.openLayered(parent);
    const scope = (more?: Parameters<typeof makeRunScope>[1]): RunScope =>
      makeRunScope(layered, more);
    return {
      ...base,
      parent,
      layered,
      apply,
      scope,
      write,
      read: (name: string) => readFileSync(join(root, name), "utf8"),
      fs: layered.openFiles(scope()),
      run: (command: string) => layered.openShell(scope()).execute({ command }),
    };
  };

  it("shows edits to commands and the other way round, and applies all as one call", async () => {
    const { root, state, parent, layered, apply, scope, fs, run, read } = await open({
      "a.txt": "one\n",
      "b.txt": "b\n",
    });
    await fs.write("a.txt", "two\n");
    const printed: string[] = [];
    const result = await layered.openShell(scope()).execute({
      command: "cat a.txt; echo made >c.txt; rm b.txt; pwd",
      onOutput: (text) => void printed.push(text),
    });
    expect(result).toMatchObject({
      exitCode: 0,
      changes: [{ kind: "deleted" }, { kind: "created" }],
    });
    expect(printed.join("")).toBe(`two\n${root}\n`);
    expect(await readText(fs, "c.txt")).toBe("made\n");
    expect((await run("sed -i s/two/three/ a.txt && cat a.txt")).output.head).toBe("three\n");
    expect([read("a.txt"), read("b.txt"), existsSync(join(root, "c.txt"))]).toEqual([
      "one\n",
      "b\n",
      false,
    ]);
    const applied = await apply();
    expect(applied).toMatchObject({ conflicts: [], notes: [] });
    expect([read("a.txt"), existsSync(join(root, "b.txt")), read("c.txt")]).toEqual([
      "three\n",
      false,
      "made\n",
    ]);
    const changes = await parent.journal.latest();
    expect(
      changes.map(({ callId, path }) => `${callId} ${path.slice(root.length)}`).sort(),
    ).toEqual(["task /a.txt", "task /b.txt", "task /c.txt"]);
    expect(readdirSync(join(state, "layers"))).toEqual([]);
  });

  it("reads and changes what is outside the workspace at once, as the same call", async () => {
    const { root, layered, parent, apply, scope } = await open({});
    const shell = layered.openShell(scope());
    const keep = { head: 10, tail: 10 };
    expect((await shell.execute({ command: "seq 1000", keep })).output.omittedBytes).toBe(3873);
    const sidecars = base.computer.openSession("test").sidecars.directory;
    const beyond = join(root, "../outside");
    const files = layered.openFiles(
      scope({ requires: { fs: { read: [`${sidecars}/**`], write: [`${beyond}/**`] } } }),
    );
    const [sidecar = ""] = readdirSync(sidecars);
    expect(await readText(files, join(sidecars, sidecar))).toContain("\n500\n");
    await files.write(join(beyond, "new"), "at once\n");
    expect(readFileSync(join(beyond, "new"), "utf8")).toBe("at once\n");
    expect(await parent.journal.latest(join(beyond, "new"))).toMatchObject([{ callId: "task" }]);
    await apply();
  });

  it("merges with what others changed meanwhile, and keeps and names what it can't merge", async () => {
    const text = "1\n2\n3\n4\n5\n6\n7\n";
    const { root, apply, fs, run, read, write } = await open({
      "merged.txt": text,
      "conflict.txt": text,
      "later.bin": "\0old",
      "deleted.txt": text,
      "seen.txt": "old\n",
    });
    await fs.write("merged.txt", text.replace("1", "child"));
    await run("sed -i s/4/child/ conflict.txt; rm deleted.txt");
    write("merged.txt", text.replace("7", "parent"));
    write("conflict.txt", text.replace("4", "parent"));
    write("deleted.txt", "parent\n");
    write("later.bin", "\0new");
    write("seen.txt", "new\n");
    // What it has not changed is seen as it is in the workspace.
    expect(await readText(fs, "seen.txt")).toBe("new\n");
    await run("printf more >>later.bin");
    await fs.write("both.txt", "child\n");
    write("both.txt", "parent\n");
    const { conflicts, keptAt = "", notes } = await apply();
    const names = ["both.txt", "conflict.txt", "deleted.txt"];
    expect([...conflicts].sort()).toEqual(names.map((name) => join(root, name)));
    for (const name of names) expect(notes.join("\n")).toContain(join(root, name));
    expect(read("merged.txt")).toBe(text.replace("1", "child").replace("7", "parent"));
    expect(read("conflict.txt")).toBe(text.replace("4", "parent"));
    expect(read("later.bin")).toBe("\0newmore");
    expect([read("both.txt"), read("deleted.txt")]).toEqual(["parent\n", "parent\n"]);
    const kept = (name: string) => readFileSync(`${keptAt}${join(root, name)}`, "utf8");
    expect([kept("conflict.txt"), kept("both.txt")]).toEqual([
      text.replace("4", "child"),
      "child\n",
    ]);
  });

  it("holds the grant and the rules of each call, wherever paths lead on the layer", async () => {
    const { root, layered, apply, scope, fs, run, read } = await open(
      { "private/x": "private\n", "a.txt": "one\n" },
      { isChangeDenied: (path) => path.endsWith("a.txt") },
    );
    symlinkSync(join(root, "private"), join(root, "link"));
    const isDenied = (path: string) => path.includes("/private");
    const closed = layered.openFiles(scope({ isDenied }));
    for (const path of ["private/x", "link/x"]) {
      const refused = closed.read(path);
      await expect(refused).rejects.toThrow(ToolError);
      await expect(refused).rejects.toMatchObject({ code: "denied" });
    }
    await run(`ln -s ${join(root, "../outside")} out; ln -s /nowhere dangling`);
    await expect(fs.read("out/x")).rejects.toMatchObject({ code: "out-of-scope" });
    const query = { path: ".", pattern: "private", literal: true, caseSensitive: true };
    const limits = { limit: 10, lineLength: 100 };
    expect((await closed.findText({ ...query, ...limits })).matches).toEqual([]);
    expect((await fs.findText({ ...query, ...limits })).matches).toHaveLength(1);
    const none = layered.openFiles(scope({ requires: { fs: { read: ["{workspace}/**"] } } }));
    await expect(none.write("b.txt", "x")).rejects.toMatchObject({ code: "out-of-scope" });
    await fs.write("a.txt", "two\n");
    expect((await apply()).notes).toEqual([
      `Not applied, because a rule denies it: ${join(root, "a.txt")}`,
    ]);
    expect(read("a.txt")).toBe("one\n");
  });

  it("undoes its own changes on the layer", async () => {
    const { layered, apply, fs, read } = await open({ "a.txt": "one\n" });
    await fs.write("a.txt", "two\n");
    const { journal } = layered.openSession("child");
    const [change] = await journal.latest("a.txt");
    if (change === undefined) throw new Error("no change");
    await fs.change([{ path: change.path, to: change.before, undoes: change.id }]);
    expect(await readText(fs, "a.txt")).toBe("one\n");
    expect(await journal.latest("a.txt")).toEqual([]);
    expect(await apply()).toMatchObject({ changes: [] });
    expect(read("a.txt")).toBe("one\n");
  });

  it("stops a command when its call is aborted", async () => {
    const { layered, apply, scope } = await open({});
    const controller = new AbortController();
    const running = layered.openShell(scope({ signal: controller.signal })).execute({
      command: "echo begun; sleep 60",
      onOutput: () => controller.abort(new ToolError("cancelled", "Enough.")),
    });
    await expect(running).rejects.toMatchObject({ code: "cancelled", partial: "begun\n" });
    await apply();
  });

  it("applies what was done before its process was killed, with everything it started", async () => {
    const { root, layered, apply, scope, fs, read } = await open({ "a.txt": "one\n" });
    await fs.write("a.txt", "two\n");
    const seconds = uniqueSleep();
    await layered.openShell(scope()).jobs.start({ command: `sleep ${seconds}` });
    const [server] = findProcesses("layer-host").filter((pid) => {
      const isProgram = readFileSync(`/proc/${pid}/cmdline`, "latin1").startsWith(process.execPath);
      return isProgram && readFileSync(`/proc/${pid}/mountinfo`, "utf8").includes(root);
    });
    if (server === undefined) throw new Error("no process on the layer");
    process.kill(server, "SIGKILL");
    await expect(fs.read("a.txt")).rejects.toMatchObject({ code: "unavailable" });
    expect(await apply()).toMatchObject({ changes: [{ path: join(root, "a.txt") }] });
    expect(read("a.txt")).toBe("two\n");
    expect(findProcesses(seconds)).toEqual([]);
  });
});

it("says why there are no layers, and what to do", async () => {
  const base = openBase("off");
  onTestFinished(() => closeBase(base));
  const opening = base.computer.openLayered(makeRunScope(base.computer));
  await expect(opening).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("--sandbox=off"),
  });
});
