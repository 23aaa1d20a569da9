import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { CallRecord } from "@haft/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { isRoot, mountSmallDisk } from "../test-support/privileges.ts";
import { runSource } from "../test-support/spawn-source.ts";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import { openSqliteRecorder, type SqliteRecorder } from "./sqlite-recorder.ts";

const row: CallRecord = {
  session: "s",
  callId: "call-1",
  name: "Read",
  tool: "read",
  arguments: { path: "a.txt" },
  dialect: "amp",
  startedAt: 1000.5,
  state: "done",
  result: { type: "output", data: { text: "x" }, metadata: { duration_ms: 2 } },
};

async function open(path: string, errors: Error[] = []): Promise<SqliteRecorder> {
  const recorder = await openSqliteRecorder(path, { onError: (error) => void errors.push(error) });
  onTestFinished(() => recorder.close());
  return recorder;
}

const newPath = () => join(makeTemporaryDirectory(), "deep", "calls.db");

describe("the recorder on disk", () => {
  it("gives back rows as they were, also to the next process", async () => {
    const path = newPath();
    const rows: CallRecord[] = [
      row,
      { ...row, callId: "2", tool: undefined, arguments: "not \0 json {", state: "error" },
      { ...row, callId: "3", arguments: ["\ud800", null, 1e300, { "": "\u0000" }] },
      {
        ...row,
        callId: "4",
        result: {
          type: "error",
          error_text: "no",
          metadata: { duration_ms: 0, error_code: "failed" },
        },
      },
    ];
    const first = await open(path);
    for (const each of rows) first.record(each);
    expect([...first.list("s")]).toEqual(rows);
    await first.close();
    expect([...(await open(path)).list("s")]).toEqual(rows);
  });

  it("has a row at once, and on the disk after a flush", async () => {
    const path = newPath();
    const recorder = await open(path);
    recorder.record(row);
    await recorder.flush();
    const other = await open(path);
    expect([...other.list("s")]).toEqual([row]);
    recorder.record({ ...row, callId: "2" });
    expect([...recorder.list("s")].map(({ callId }) => callId)).toEqual(["call-1", "2"]);
  });

  it("writes by itself at the end of the turn", async () => {
    const path = newPath();
    (await open(path)).record(row);
    const other = await open(path);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([...other.list("s")]).toEqual([row]);
  });

  it("keeps sessions apart and tells about each", async () => {
    const recorder = await open(newPath());
    recorder.record({ ...row, session: "a", startedAt: 5 });
    recorder.record({ ...row, session: "b", startedAt: 7 });
    recorder.record({ ...row, session: "a", startedAt: 6 });
    expect([...recorder.list("b")]).toHaveLength(1);
    expect([...recorder.list("none")]).toEqual([]);
    expect(recorder.sessions()).toEqual([
      { session: "b", calls: 1, firstAt: 7, lastAt: 7 },
      { session: "a", calls: 2, firstAt: 5, lastAt: 6 },
    ]);
  });

  it("tells quickly of the last calls, oldest first", async () => {
    const recorder = await open(newPath());
    expect(recorder.recent?.("s", 5)).toEqual([]);
    recorder.record({ ...row, callId: "1", arguments: "text" });
    recorder.record({ ...row, session: "other" });
    recorder.record({ ...row, tool: undefined, arguments: { content: "x".repeat(30_000) } });
    recorder.record({
      ...row,
      state: "error",
      result: { type: "error", error_text: "", metadata: { duration_ms: 1, error_code: "failed" } },
    });
    const { name, tool, arguments: args, startedAt, state } = row;
    const known = { name, tool, arguments: args, startedAt, state };
    expect(recorder.recent?.("s", 3)).toEqual([
      { ...known, arguments: "text", errorCode: undefined },
      { ...known, tool: undefined, arguments: undefined, errorCode: undefined },
      { ...known, state: "error", errorCode: "failed" },
    ]);
    expect(recorder.recent?.("s", 1)).toEqual([{ ...known, state: "error", errorCode: "failed" }]);
  });

  it("reads many rows page by page, also those that come meanwhile", async () => {
    const recorder = await open(newPath());
    for (let index = 0; index < 350; index++) recorder.record({ ...row, callId: String(index) });
    const seen: string[] = [];
    for (const { callId } of recorder.list("s")) {
      if (callId === "120") recorder.record({ ...row, callId: "late" });
      seen.push(callId);
      if (callId === "200") await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(seen).toEqual([...Array.from({ length: 350 }, (_, index) => String(index)), "late"]);
  });

  it("records a call whose result is not JSON", async () => {
    const errors: Error[] = [];
    const recorder = await open(newPath(), errors);
    const circle: { self?: unknown } = {};
    circle.self = circle;
    recorder.record({ ...row, result: { ...row.result, type: "output", data: circle } });
    recorder.record({
      ...row,
      callId: "2",
      result: { type: "output", data: 1n, metadata: { duration_ms: 1 } },
    });
    expect([...recorder.list("s")]).toMatchObject([
      { callId: "call-1", result: { type: "error" } },
      { callId: "2", result: { type: "error" } },
    ]);
    expect(errors).toEqual([]);
  });

  it("is for its owner only", async () => {
    const path = newPath();
    (await open(path)).record(row);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("refuses what is not a recording of ours", async () => {
    const directory = makeTemporaryDirectory();
    const text = join(directory, "text.db");
    writeFileSync(text, "This is not a database, but long enough to be looked at. ".repeat(40));
    await expect(openSqliteRecorder(text)).rejects.toThrow(
      `${text} can't be opened as a recording`,
    );
    expect(readFileSync(text, "utf8")).toContain("This is not");
    const foreign = join(directory, "foreign.db");
    const database = new DatabaseSync(foreign);
    database.exec("CREATE TABLE calls (id INTEGER); PRAGMA user_version = 1");
    database.close();
    await expect(openSqliteRecorder(foreign)).rejects.toThrow("not a recording of Haft");
    mkdirSync(join(directory, "folder.db"));
    await expect(openSqliteRecorder(join(directory, "folder.db"))).rejects.toThrow("folder.db");
  });

  it("refuses a recording of another version, and names both", async () => {
    const path = newPath();
    await (await open(path)).close();
    const database = new DatabaseSync(path);
    database.exec("PRAGMA user_version = 99");
    database.close();
    await expect(openSqliteRecorder(path)).rejects.toThrow(
      /calls\.db.*version 99.*version 1\. Use/u,
    );
  });

  it("reports rows that could not be written, keeps them and tries again", async () => {
    const path = newPath();
    const errors: Error[] = [];
    const recorder = await open(path, errors);
    const other = new DatabaseSync(path);
    onTestFinished(() => other.close());
    other.exec("ALTER TABLE calls RENAME TO hidden");
    recorder.record(row);
    recorder.record({ ...row, callId: "2" });
    await recorder.flush();
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toMatch(/^2 calls could not be recorded in .*calls\.db/u);
    other.exec("ALTER TABLE hidden RENAME TO calls");
    await recorder.flush();
    expect(errors).toHaveLength(1);
    expect([...recorder.list("s")].map(({ callId }) => callId)).toEqual(["call-1", "2"]);
  });

  it.skipIf(!isRoot)("outlives a full disk (needs root to mount one)", async () => {
    const disk = mountSmallDisk(512);
    const errors: Error[] = [];
    const recorder = await open(join(disk, "calls.db"), errors);
    writeFileSync(join(disk, "filler"), "x".repeat(200_000));
    const result = {
      type: "output",
      data: "x".repeat(100_000),
      metadata: { duration_ms: 1 },
    } as const;
    const calls = ["1", "2", "3"];
    for (const callId of calls) recorder.record({ ...row, callId, result });
    expect([...recorder.list("s")].map(({ callId }) => callId)).toEqual(calls);
    expect(recorder.sessions()).toMatchObject([{ session: "s", calls: 3 }]);
    expect(errors.length).toBeGreaterThan(0);
    expect(recorder.findFailure?.()).toMatch(/could not be recorded in .*Free disk space/u);
    rmSync(join(disk, "filler"));
    execFileSync("mount", ["-o", "remount,size=4m", disk]);
    expect(recorder.findFailure?.()).toBeUndefined();
    await recorder.flush();
    const before = errors.length;
    expect([...recorder.list("s")].map(({ callId }) => callId)).toEqual(calls);
    expect(errors).toHaveLength(before);
  });

  it("gives the beginnings of what was recorded after a row, of every session", async () => {
    const recorder = await open(newPath());
    const data = "x".repeat(100_000);
    const result = { type: "output", data, metadata: { duration_ms: 1 } } as const;
    for (const session of ["a", "b", "c"]) recorder.record({ ...row, session, result });
    const heads = recorder.heads(0, 2);
    expect(heads.map((head) => [head.row, head.session])).toEqual([
      [1, "a"],
      [2, "b"],
    ]);
    expect(heads[0]).toMatchObject({ name: "Read", startedAt: 1000.5 });
    expect(heads[0]?.arguments).toBe('{"path":"a.txt"}');
    expect(heads[0]?.result.length).toBeLessThan(10_000);
    expect(recorder.heads(2, 10).map(({ session }) => session)).toEqual(["c"]);
    expect(recorder.heads(3, 10)).toEqual([]);
  });

  it("finds a call by its id, not one of the same id that was made before", async () => {
    const recorder = await open(newPath());
    recorder.record({ ...row, startedAt: 10 });
    recorder.record({ ...row, startedAt: 20 });
    const find = (since: number, session = "s") =>
      recorder.find({ session, callId: "call-1", since })?.startedAt;
    expect([find(0), find(20), find(21), find(0, "t")]).toEqual([20, 20, undefined, undefined]);
  });

  it("does not throw after it was closed", async () => {
    const errors: Error[] = [];
    const recorder = await open(newPath(), errors);
    await recorder.close();
    await recorder.close();
    recorder.record(row);
    await recorder.flush();
    expect(errors).toHaveLength(1);
  });

  it("takes rows from several processes that all start at once", { timeout: 60_000 }, async () => {
    const path = newPath();
    const names = ["a", "b", "c"];
    expect(
      await Promise.all(names.map((name) => runSource("record-calls.ts", [path, name]))),
    ).toEqual(names.map(() => []));
    const recorder = await open(path);
    expect(
      recorder
        .sessions()
        .map(({ session, calls }) => [session, calls])
        .sort(),
    ).toEqual(names.map((name) => [name, 200]));
    const calls = [...recorder.list("b")].map(({ callId }) => callId);
    expect(calls).toEqual(Array.from({ length: 200 }, (_, index) => String(index)));
  });

  it("is not loaded before it is used, and prints no warning", () => {
    const script = `
      await import(${JSON.stringify(new URL("../../../../test/programs/register-sources.mjs", import.meta.url).href)});
      const { openSqliteRecorder } = await import(${JSON.stringify(new URL("../index.ts", import.meta.url).href)});
      const before = process.moduleLoadList.some((name) => name.includes("sqlite"));
      await (await openSqliteRecorder(process.argv[1])).close();
      const after = process.moduleLoadList.some((name) => name.includes("sqlite"));
      console.log(before, after);
    `;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ["--input-type=module", "-e", script, newPath()],
      { encoding: "utf8" },
    );
    expect([stdout, stderr]).toEqual(["false true\n", ""]);
  });
});
