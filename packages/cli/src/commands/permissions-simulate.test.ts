import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openSqliteRecorder } from "@haft/computer";
import type { CallRecord } from "@haft/core";
import { describe, expect, it } from "vitest";
import { createTestWorkspace, type TestWorkspace } from "../test-support/run-haft.ts";

const simulate = (...args: string[]): string[] => ["permissions", "simulate", ...args];

interface Simulated {
  readonly rule: string;
  readonly sessions: number;
  readonly calls: number;
  readonly changed: number;
  readonly totals: readonly { before: string; after: string; count: number }[];
  readonly changes: readonly Record<string, string>[];
  readonly omitted: number;
  readonly not_judged: Readonly<Record<string, number>>;
}

const write = (path: string, ...more: string[]): string[] => [
  ...["call", "write", `path=${path}`, "content=x", "--yes"],
  ...more,
];

/** Records further calls of the session that the workspace's last call belongs to. */
async function record(
  { state }: TestWorkspace,
  change: (last: CallRecord) => Partial<CallRecord>,
): Promise<void> {
  const recorder = await openSqliteRecorder(join(state, "recordings.db"));
  const [newest] = recorder.sessions();
  const last = [...recorder.list(newest?.session ?? "")].at(-1) as CallRecord;
  recorder.record({ ...last, ...change(last) });
  await recorder.close();
}

describe("haft permissions simulate", () => {
  it("shows each call of all sessions whose verdict would change, and totals", async () => {
    const { haft } = createTestWorkspace({ "a.txt": "a" });
    await haft(write("docs/a"));
    await haft(write("docs/b", "--session", "second"));
    await haft(write("src/c"));
    await haft(["call", "read", "path=a.txt"]);
    const { json, exitCode } = await haft(simulate("fs.write docs/** allow", "--json"));
    expect(exitCode).toBe(0);
    expect(json<Simulated>()).toMatchObject({
      rule: "fs.write docs/** allow",
      sessions: 2,
      calls: 4,
      changed: 2,
      totals: [{ before: "ask", after: "allow", count: 2 }],
      omitted: 0,
      not_judged: { masked: 0, incomplete: 0, unavailable: 0 },
    });
    expect(
      json<Simulated>().changes.map(({ session, tool, call }) => [session, tool, call]),
    ).toEqual([
      [expect.stringMatching(/\/second$/u), "write", expect.stringContaining("docs/b")],
      [expect.stringMatching(/\/default$/u), "write", expect.stringContaining("docs/a")],
    ]);
    const { stdout } = await haft(simulate("read a.txt deny"));
    expect(stdout).toMatch(/^\S+Z {2}default {2}allow → deny {3}read \{"path":"a.txt"\}\n/u);
    expect(stdout).toContain(
      "The rule would have changed the verdict on 1 of 4 calls in 2 sessions: 1 allow → deny.\n",
    );
  });

  it("takes the rules of each session into account, and runs and stores nothing", async () => {
    const { haft } = createTestWorkspace();
    await haft(["permissions", "add", "write a allow", "--scope", "session"]);
    await haft(write("a"));
    await haft(write("a", "--session", "second"));
    const before = (await haft(["permissions", "--json"])).stdout;
    const { json } = await haft(simulate("write", "a", "allow", "--json"));
    expect(json<Simulated>().changes.map(({ session }) => session)).toEqual([
      expect.stringMatching(/\/second$/u),
    ]);
    expect((await haft(["permissions", "--json"])).stdout).toBe(before);
  });

  it("keeps to a session, a period and a limit", async () => {
    const workspace = createTestWorkspace();
    const { haft } = workspace;
    for (const path of ["a", "b", "c"]) await haft(write(path));
    await haft(write("d", "--session", "second"));
    await record(workspace, ({ startedAt }) => ({ startedAt: startedAt - 40 * 86_400_000 }));
    const run = async (...args: string[]): Promise<Simulated> =>
      (await haft(simulate("write ** allow", "--json", ...args))).json<Simulated>();
    expect(await run()).toMatchObject({ calls: 5, changed: 5 });
    expect(await run("--since", "30d")).toMatchObject({ calls: 4, changed: 4 });
    expect(await run("--session", "default")).toMatchObject({ sessions: 1, calls: 3 });
    expect(await run("--limit", "1")).toMatchObject({ changed: 5, omitted: 4 });
    expect((await haft(simulate("write ** allow", "--limit", "1"))).stdout).toContain(
      "… and 4 calls more. To list more: --limit N\n",
    );
  });

  it("counts calls apart that the record does not show whole, or that are not valid now", async () => {
    const workspace = createTestWorkspace();
    const { haft } = workspace;
    await haft(write("a"));
    await record(workspace, () => ({
      arguments: { path: "[secret:TOKEN]", content: "x" },
    }));
    await record(workspace, () => ({ arguments: null }));
    await record(workspace, () => ({ name: "removed", tool: "removed", arguments: {} }));
    const { json } = await haft(simulate("write ** allow", "--json"));
    expect(json<Simulated>()).toMatchObject({
      calls: 4,
      changed: 1,
      not_judged: { masked: 1, incomplete: 1, unavailable: 1 },
    });
    expect((await haft(simulate("write ** allow"))).stdout).toContain(
      "3 calls can't be judged: 1 with masked secrets, 1 with incomplete arguments, 1 whose workspace, tool or arguments are not valid now.\n",
    );
  });

  it("includes other workspaces only with --all", async () => {
    const { haft, directory } = createTestWorkspace();
    const other = join(directory, "..", "other");
    mkdirSync(other);
    await haft(write("a"));
    await haft(write("a", "-C", other));
    const run = async (...args: string[]): Promise<Simulated> =>
      (await haft(simulate("write a allow", "--json", ...args))).json<Simulated>();
    expect(await run()).toMatchObject({ sessions: 1, changed: 1 });
    expect(await run("--all")).toMatchObject({ sessions: 2, changed: 2 });
  });

  it("says that nothing is recorded, or that nothing would change", async () => {
    const { haft } = createTestWorkspace();
    expect((await haft(simulate("write a allow"))).stdout).toBe(
      "No calls are recorded for these sessions and this period.\n",
    );
    await haft(write("a"));
    expect((await haft(simulate("write b allow"))).stdout).toBe(
      "The rule would have changed the verdict on none of 1 call in 1 session.\n",
    );
  });

  it.each([
    [["write"], "The rule: "],
    [["write a perhaps"], "The rule: "],
    [["write a allow", "--since", "soon"], "--since takes a duration"],
    [["write a allow", "--limit", "0"], "--limit takes a whole number"],
    [["write a allow", "--session", "none"], 'No calls of a session "none"'],
    [["write a allow", "--session", "a", "--all"], "either --session or --all"],
    [[], "needs the argument RULE"],
  ])("refuses %j and names the fault", async (args, reason) => {
    const { exitCode, stderr, stdout } = await createTestWorkspace().haft(simulate(...args));
    expect(exitCode).toBe(2);
    expect(stderr).toContain(reason);
    expect(stdout).toBe("");
  });
});
