import { existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Job, JobOutput, Jobs } from "@haft/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import { locateSession } from "../../session/session-directory.ts";
import { findProcesses, uniqueSleep, untilGone } from "../../test-support/find-processes.ts";
import { openShell } from "../../test-support/open-shell.ts";
import { runSource } from "../../test-support/spawn-source.ts";
import { makeTemporaryDirectory } from "../../test-support/temporary-directory.ts";
import { maxJobs } from "./job-table.ts";
import { locateKeeperFile, readKeeperFile } from "./keeper-file.ts";
import { askKeeper } from "./kept-jobs.ts";

const server = `node -e "require('net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port) })"`;

describe.each(["off", "required"] as const)("jobs, with the sandbox %s", (sandbox) => {
  it("continue in the background, and are listed with their processes and ports", async () => {
    const { shell, root, confined } = openShell({ sandbox });
    const { id, state } = await shell.jobs.start({ command: `exec ${server}` });
    expect([id, state, confined]).toEqual([
      "job-1",
      "running",
      [sandbox === "off" ? "none" : "sandbox"],
    ]);
    const port = Number((await untilPrinted(shell.jobs, id)).text);
    expect(await shell.jobs.list()).toEqual([
      {
        id,
        command: `exec ${server}`,
        cwd: root,
        state: "running",
        startedAt: expect.any(Number),
        reversible: false,
        processes: [
          {
            pid: expect.any(Number),
            command: expect.stringContaining("createServer"),
            ports: [port],
          },
        ],
      },
    ]);
    expect(await shell.jobs.stop(id)).toMatchObject({ id, state: "ended", processes: [] });
  });

  it("are reached by the commands of their session while they run", async () => {
    const { shell } = openShell({ sandbox });
    const { id } = await shell.jobs.start({ command: `exec ${server}` });
    const port = Number((await untilPrinted(shell.jobs, id)).text);
    const reach = async (): Promise<number | undefined> =>
      (await shell.execute({ command: `exec 3<>/dev/tcp/127.0.0.1/${port}` })).exitCode;
    expect(await reach()).toBe(0);
    await shell.jobs.stop(id);
    expect(await reach()).not.toBe(0);
  });

  it("end with everything they started, when they are stopped and with the session", async () => {
    const { shell, computer } = openShell({ sandbox });
    const sleep = uniqueSleep();
    const command = `trap '' TERM; setsid sleep ${sleep} & echo begun; sleep ${sleep}; true`;
    for (const end of [
      (id: string) => shell.jobs.stop(id),
      () => computer.openSession("test").close(),
    ]) {
      const { id } = await shell.jobs.start({ command });
      await untilPrinted(shell.jobs, id);
      await end(id);
      expect(findProcesses(sleep)).toEqual([]);
    }
    expect(await shell.jobs.list()).toEqual([]);
  });
});

describe("jobs", () => {
  it("in the sandbox are not reachable from outside", async () => {
    const { shell } = openShell({ sandbox: "required" });
    const { id } = await shell.jobs.start({ command: `exec ${server}` });
    const port = Number((await untilPrinted(shell.jobs, id)).text);
    const other = openShell({ sandbox: "required" });
    for (const outsider of [other, openShell()]) {
      const command = `exec 3<>/dev/tcp/127.0.0.1/${port}`;
      expect((await outsider.shell.execute({ command })).exitCode).not.toBe(0);
    }
  });

  it("keep the last of what they print, and hand it over from any byte on", async () => {
    const { shell } = openShell();
    const { id } = await shell.jobs.start({
      command: "head -c 2000000 /dev/zero | tr '\\0' x; echo é",
    });
    const last = await untilEnded(shell.jobs, id);
    const kept = 1024 * 1024;
    expect(last).toMatchObject({ omittedBytes: 2_000_003 - kept, next: 2_000_003 });
    expect(last.text).toBe(`${"x".repeat(kept - 3)}é\n`);
    expect(await shell.jobs.output(id, 2_000_000)).toMatchObject({ text: "é\n", omittedBytes: 0 });
    expect(await shell.jobs.output(id, 2_000_001)).toMatchObject({ text: "\n", omittedBytes: 1 });
    expect(await shell.jobs.output(id, last.next)).toMatchObject({ text: "", next: last.next });
  });

  it("tell how they ended", async () => {
    const { shell } = openShell();
    const ends: Job[] = [];
    for (const command of ["exit 3", "kill -9 $$"]) {
      const { id } = await shell.jobs.start({ command });
      ends.push((await untilEnded(shell.jobs, id)).job);
    }
    expect(ends).toMatchObject([
      { id: "job-1", state: "ended", exitCode: 3 },
      { id: "job-2", state: "ended", signal: "SIGKILL" },
    ]);
  });

  it("say that the broker died, if it did", async () => {
    const { shell } = openShell();
    const { id } = await shell.jobs.start({ command: "echo $PPID; sleep 60" });
    process.kill(Number((await untilPrinted(shell.jobs, id)).text), "SIGKILL");
    const { job } = await untilEnded(shell.jobs, id);
    expect(job).toMatchObject({ state: "ended", reason: expect.stringContaining("SIGKILL") });
  });

  it("are known by their names only, and so many at a time", async () => {
    const { shell } = openShell();
    const command = "sleep 60";
    const starting = Array.from({ length: maxJobs }, () => shell.jobs.start({ command }));
    await expect(shell.jobs.start({ command })).rejects.toMatchObject({ code: "quota" });
    await Promise.all(starting);
    await expect(shell.jobs.start({ command })).rejects.toMatchObject({ code: "quota" });
    await shell.jobs.stop("job-3");
    expect((await shell.jobs.start({ command })).id).toBe(`job-${maxJobs + 1}`);
    await expect(shell.jobs.stop("job-99")).rejects.toMatchObject({
      code: "not-found",
      message: expect.stringContaining("job-1, job-2"),
    });
  });

  it("run what the grant names and nothing else, in the workspace", async () => {
    const { shell, computer } = openShell({
      requires: { fs: { read: ["{workspace}/**"] }, shell: [{ cmd: "echo" }] },
    });
    await computer.prepareShell();
    const start = (command: string, cwd = "."): Promise<Job> => shell.jobs.start({ command, cwd });
    await expect(start("sleep 1")).rejects.toMatchObject({ code: "out-of-scope" });
    await expect(start("echo", "/")).rejects.toMatchObject({ code: "out-of-scope" });
  });
});

describe.each(["off", "required"] as const)("kept jobs, with the sandbox %s", (sandbox) => {
  it("outlive the process that started them, and end with the session", async () => {
    const { use, directory } = openKept(sandbox);
    const sleep = uniqueSleep();
    expect(await use("list")).toEqual([]);
    const command = `echo begun; setsid sleep ${sleep} & sleep ${sleep}; true`;
    expect(await use("start", command)).toMatchObject({ id: "job-1", state: "running" });
    expect(await use("start", "echo over")).toMatchObject({ id: "job-2" });
    const { mode } = statSync(locateKeeperFile(directory));
    expect(mode & 0o777).toBe(0o600);
    while (findProcesses(`sleep\0${sleep}`).length < 2) await wait(10);
    expect(await use("output", "job-1")).toMatchObject({ text: "begun\n", next: 6 });
    expect(await use("wait", "job-2")).toMatchObject({ job: { exitCode: 0 }, text: "over\n" });
    expect(await use("list")).toMatchObject([
      { id: "job-1", state: "running", processes: expect.arrayContaining([]) },
      { id: "job-2", state: "ended", exitCode: 0 },
    ]);
    expect(await use("stop", "job-9")).toMatchObject({ code: "not-found" });
    const keeper = readKeeperFile(directory)?.owner.pid ?? 0;
    expect(await use("close")).toBeNull();
    expect(findProcesses(sleep)).toEqual([]);
    while (existsSync(`/proc/${keeper}`)) await wait(10);
    expect(existsSync(locateKeeperFile(directory))).toBe(false);
    expect(await use("list")).toEqual([]);
  });
});

describe("kept jobs", () => {
  it("are listed as ended after their keeper died, and new ones get other names", async () => {
    const { use, directory } = openKept("off");
    const sleep = uniqueSleep();
    await use("start", `setsid sleep ${sleep} & sleep ${sleep}`);
    process.kill(readKeeperFile(directory)?.owner.pid ?? 0, "SIGKILL");
    await untilGone(sleep);
    expect(await use("list")).toMatchObject([
      { id: "job-1", state: "ended", reason: expect.stringContaining("unexpectedly") },
    ]);
    expect(await use("stop", "job-1")).toMatchObject({ id: "job-1", state: "ended" });
    expect(await use("start", "sleep 60")).toMatchObject({ id: "job-2" });
    expect(await use("list")).toMatchObject([{ id: "job-1" }, { id: "job-2" }]);
    await use("close");
  });

  it("are kept by one process, whichever starts first", async () => {
    const { use } = openKept("off");
    const started = await Promise.all([1, 2, 3].map(() => use("start", "sleep 60")));
    for (const id of ["job-1", "job-2", "job-3"]) {
      expect(started).toContainEqual(expect.objectContaining({ id }));
    }
    expect(await use("list")).toHaveLength(3);
    await use("close");
  });

  it("refuse requests without the token", async () => {
    const { use, directory } = openKept("off");
    await use("start", "sleep 60");
    const file = readKeeperFile(directory);
    const socket = file?.socket ?? "";
    expect(await askKeeper({ socket, token: "guessed" }, { type: "list" })).toBeUndefined();
    expect(await askKeeper({ socket, token: file?.token ?? "" }, { type: "list" })).toHaveLength(1);
    await use("close");
  });
});

interface Kept {
  readonly directory: string;
  use(action: string, ...args: string[]): Promise<unknown>;
}

function openKept(sandbox: string): Kept {
  const base = makeTemporaryDirectory();
  const workspace = join(base, "workspace");
  const state = join(base, "state");
  mkdirSync(workspace);
  const use: Kept["use"] = (action, ...args) =>
    runSource("use-jobs.ts", [workspace, state, sandbox, action, ...args]);
  onTestFinished(async () => void (await use("close")));
  const { path } = locateSession("kept", { root: workspace, stateDirectory: state });
  return { use, directory: path };
}

async function untilPrinted(jobs: Jobs, id: string): Promise<JobOutput> {
  for (;;) {
    const output = await jobs.output(id);
    if (output.text.endsWith("\n")) return output;
    await wait(10);
  }
}

function untilEnded(jobs: Jobs, id: string): Promise<JobOutput> {
  return jobs.output(id, 0, { until: "exit", maxMs: 60_000 });
}
