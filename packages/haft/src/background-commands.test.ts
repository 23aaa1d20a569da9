import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BashData, JobOutputData } from "@haft/tools";
import { describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../scripts/setup/system-packages.mjs";
import { type OpenSessionOptions, openSession } from "./index.ts";

const lines = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

function openPlace(options: Partial<OpenSessionOptions> = {}) {
  const base = mkdtempSync(join(tmpdir(), "haft-background-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const workspace = join(base, "workspace");
  mkdirSync(workspace);
  const at = (name: string): string => join(workspace, name);
  writeFileSync(at("a.txt"), lines);
  writeFileSync(at("signal"), "wait\n");
  const session = openSession({
    workspace,
    stateDirectory: join(base, "state"),
    sandbox: "required",
    onTimeout: "background",
    ...options,
  });
  onTestFinished(() => session.close());
  const warnings: string[] = [];
  session.on("session:warning", ({ message }) => void warnings.push(message));
  const call = (name: string, args: object) =>
    session.call({ name, arguments: args as never, approved: true });
  const dataOf = async <Data>(name: string, args: object): Promise<Data> => {
    const result = await call(name, args);
    if (result.type === "error") throw new Error(result.error_text);
    return result.data as Data;
  };
  return {
    session,
    at,
    warnings,
    call,
    dataOf,
    /** Runs a command that reaches its time limit before it is released. */
    run: async (before: string, after: string): Promise<string> => {
      const command = `${before}; until grep -q go signal; do sleep 0.02; done; ${after}`;
      const { job_id } = await dataOf<BashData>("bash", { command, timeout_ms: 50 });
      return job_id ?? "";
    },
    release: () => writeFileSync(at("signal"), "go\n"),
    waitFor: (job_id: string, wait_for: "exit" | "output") =>
      dataOf<JobOutputData>("job_output", { job_id, wait_for, wait_ms: 60_000 }),
  };
}

describe.skipIf(isMissing("bubblewrap"))("a command that reaches its time limit", () => {
  it("goes on as a job, is applied when it ends, and can be undone", async () => {
    const { session, call, dataOf, run, release, waitFor, at } = openPlace();
    const id = await run("echo begun", "sed -i s/two/TWO/ a.txt; echo over; exit 3");
    expect(id).toMatch(/^cmd-/u);
    expect(await waitFor(id, "output")).toMatchObject({ state: "running", output: "begun\n" });
    expect(await dataOf("job_list", {})).toMatchObject({
      jobs: [{ job_id: id, state: "running" }],
    });
    release();
    expect(await waitFor(id, "exit")).toMatchObject({
      state: "ended",
      exit_code: 3,
      output: "begun\nover\n",
      reversible: true,
      changes: [{ path: at("a.txt"), kind: "modified", undoable: true }],
      changes_total: 1,
    });
    expect(readFileSync(at("a.txt"), "utf8")).toBe(lines.replace("two", "TWO"));
    expect(await call("undo_edit", {})).toMatchObject({ type: "output" });
    expect(readFileSync(at("a.txt"), "utf8")).toBe(lines);
    expect(session.takeNotices()).toEqual([]);
  });

  it("is merged with what was edited meanwhile, and says what conflicts", async () => {
    const { dataOf, run, release, waitFor, at } = openPlace();
    writeFileSync(at("b.txt"), "old\n");
    const id = await run("sed -i s/one/ONE/ a.txt; echo mine > b.txt; echo begun", "true");
    await waitFor(id, "output");
    // What the files held is kept every 250 ms by a timer of this process, which comes before a later one.
    await new Promise((resolve) => setTimeout(resolve, 300));
    await dataOf("edit", { path: "a.txt", old_string: "seven", new_string: "SEVEN" });
    await dataOf("write", { path: "b.txt", content: "theirs\n" });
    release();
    const ended = await waitFor(id, "exit");
    expect(readFileSync(at("a.txt"), "utf8")).toBe(
      lines.replace("one", "ONE").replace("seven", "SEVEN"),
    );
    const kept = ended.changes?.find(({ path }) => path === at("b.txt"))?.kept_at ?? "";
    expect(readFileSync(kept, "utf8")).toBe("mine\n");
    expect(readFileSync(at("b.txt"), "utf8")).toBe("theirs\n");
  });

  it("is told to the model once, with the next result or before it", async () => {
    const { session, call, run, release } = openPlace();
    const id = await run("echo begun", "touch new");
    release();
    const read = async () => (await call("read", { path: "a.txt" })).metadata.notices;
    let notices = await read();
    while (notices === undefined) {
      await new Promise(setImmediate);
      notices = await read();
    }
    expect(notices).toEqual([
      expect.stringMatching(
        new RegExp(
          `^The background command ${id} has ended with exit code 0: .*new \\(created\\)`,
          "su",
        ),
      ),
    ]);
    expect(await read()).toBeUndefined();
    expect(session.takeNotices()).toEqual([]);
  });

  it("keeps what it wrote when it is stopped, and nothing of it when the session ends", async () => {
    const { call, dataOf, session, run, waitFor, warnings, at } = openPlace();
    const stopped = await run("echo x > stopped; echo begun", "true");
    await waitFor(stopped, "output");
    const [waiting] = await Promise.all([
      waitFor(stopped, "exit"),
      call("job_stop", { job_id: stopped }),
    ]);
    expect(waiting).toMatchObject({ signal: "SIGKILL", changes: [{ kind: "created" }] });
    expect(existsSync(at("stopped"))).toBe(true);
    const id = await run("echo x > discarded; echo begun", "true");
    await waitFor(id, "output");
    await session.suspend();
    expect(existsSync(at("discarded"))).toBe(false);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(`${id} was stopped because its session ended`);
    expect(await dataOf("job_output", { job_id: id })).toMatchObject({ state: "ended" });
  });

  it("may change what its call could, and nothing that a rule denies", async () => {
    const { run, release, waitFor, at } = openPlace({ rules: ["fs.write a.txt deny"] });
    const id = await run("n=a", "echo x >> $n.txt; echo x > b.txt; seq 100000");
    release();
    const ended = await waitFor(id, "exit");
    expect(readFileSync(at("a.txt"), "utf8")).toBe(lines);
    expect(readFileSync(at("b.txt"), "utf8")).toBe("x\n");
    expect(ended.notes?.join()).toContain("a.txt");
    const path = /complete output is in (.*)\.$/u.exec(ended.notes?.at(-1) ?? "")?.[1] ?? "";
    expect(readFileSync(path, "utf8")).toMatch(/^1\n2\n.*\n100000\n$/su);
  });

  it("is stopped where the session or the call says so", async () => {
    const { call } = openPlace({ onTimeout: "stop" });
    const command = "until grep -q go signal; do sleep 0.02; done";
    const stopped = { type: "error", metadata: { error_code: "timeout" } };
    expect(await call("bash", { command, timeout_ms: 50 })).toMatchObject(stopped);
    const other = openPlace();
    const args = { command, timeout_ms: 50, on_timeout: "stop" };
    expect(await other.call("bash", args)).toMatchObject(stopped);
  });
});

describe("a job", () => {
  it("says that it can't be undone, and is told once when it ends", async () => {
    const { session, call, dataOf, release } = openPlace({ sandbox: "off" });
    const started = await call("job_start", {
      command: "until grep -q go signal; do sleep 0.02; done",
    });
    expect(started.metadata.reversible).toBe(false);
    const { job_id } = (started as { data: JobOutputData }).data;
    const other = await dataOf<JobOutputData>("job_start", { command: "true" });
    expect(other).toMatchObject({ state: "ended", reversible: false });
    release();
    let notices: readonly string[] = [];
    while (notices.length === 0) {
      await new Promise(setImmediate);
      notices = session.takeNotices();
    }
    // The end of the other one was in the result of job_start.
    expect(notices).toEqual([expect.stringContaining(`${job_id} has ended with exit code 0`)]);
  });

  it("is waited for until the time is over or the call is aborted", async () => {
    const { session, dataOf, waitFor } = openPlace({ sandbox: "off" });
    const { job_id } = await dataOf<JobOutputData>("job_start", { command: "sleep 600" });
    const brief = await dataOf("job_output", { job_id, wait_for: "exit", wait_ms: 1 });
    expect(brief).toMatchObject({ state: "running" });
    const waiting = waitFor(job_id, "exit").catch(String);
    session.abort();
    expect(await waiting).toContain("aborted");
  });
});
