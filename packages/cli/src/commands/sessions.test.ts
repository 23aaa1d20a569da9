import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { CallOutcome } from "@haft/core";
import { describe, expect, it } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { createTestWorkspace } from "../test-support/run-haft.ts";

const files = { "a.txt": "one\n" };

describe("haft sessions", () => {
  it("says how to begin where there are none", async () => {
    const { stdout, exitCode } = await createTestWorkspace().haft(["sessions"]);
    expect(stdout).toContain("haft call read");
    expect(exitCode).toBe(0);
  });

  it("lists a session from its first call on", async () => {
    const { haft, directory } = createTestWorkspace(files);
    await haft(["call", "read", "path=a.txt"]);
    await haft(["call", "read", "path=missing", "--session", "second"]);
    const listed = (await haft(["sessions", "--json"])).json<Record<string, unknown>[]>();
    expect(listed.map(({ name, calls, workspace }) => [name, calls, workspace]).sort()).toEqual([
      ["default", 1, directory],
      ["second", 1, directory],
    ]);
    expect((await haft(["sessions", "list", "--all"])).stdout).toContain("default  1 call  ");
  });

  it("shows what was called", async () => {
    const { haft } = createTestWorkspace(files);
    await haft(["call", "read", "path=a.txt"]);
    const { stdout } = await haft(["sessions", "show", "default"]);
    expect(stdout).toMatch(/ read {2}done .*"path":"a\.txt"/u);
  });

  it.skipIf(isMissing("bwrap"))("shows the calls of a program below it", async () => {
    const { haft } = createTestWorkspace(files);
    const code = 'await tools.read({ path: "a.txt" }); return [1];';
    const { stdout: printed } = await haft(["call", "run_code", "--code", `code=${code}`]);
    expect(JSON.parse(printed)).toEqual([1]);
    await haft(["call", "read", "path=a.txt"]);
    const { stdout } = await haft(["sessions", "show", "default"]);
    expect(stdout.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^\d.* run_code {2}done /u),
      expect.stringMatching(/^ {2}\d.* read {2}done /u),
      expect.stringMatching(/^\d.* read {2}done /u),
    ]);
  });

  it("closes a session and keeps its record", async () => {
    const { haft } = createTestWorkspace(files);
    await haft(["call", "read", "path=a.txt"]);
    expect((await haft(["sessions", "close", "default"])).exitCode).toBe(0);
    expect((await haft(["sessions", "show", "default"])).stdout).toContain("read");
  });

  it.each([
    ["show", "nobody"],
    ["close", "nobody"],
    ["dance", "default"],
  ])("refuses to %s %s", async (action, name) => {
    const { exitCode, stderr } = await createTestWorkspace().haft(["sessions", action, name]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(new RegExp(action === "dance" ? "dance" : "sessions list --all", "u"));
  });
});

describe("haft replay", () => {
  it("gives every recorded result again, also after the world has changed", async () => {
    const { haft } = createTestWorkspace(files);
    const first = await haft(["call", "read", "path=a.txt", "--json"]);
    await haft(["call", "write", "path=a.txt", "content=two", "--yes"]);
    const second = await haft(["call", "read", "path=a.txt", "--json"]);
    const replayed = (await haft(["replay", "default", "--json"])).json<CallOutcome[]>();
    expect(replayed.map(({ name }) => name)).toEqual(["read", "write", "read"]);
    expect(replayed[0]?.result).toEqual(first.json());
    expect(replayed[2]?.result).toEqual(second.json());
  });

  it("answers a batch from the record and says what was not recorded", async () => {
    const { haft } = createTestWorkspace(files);
    await haft(["call", "read", "path=a.txt"]);
    const input = JSON.stringify([
      { name: "read", arguments: { path: "a.txt" } },
      { name: "read", arguments: { path: "b.txt" } },
    ]);
    const { json, exitCode } = await haft(["replay", "default", "-", "--json"], { input });
    expect(json<CallOutcome[]>().map(({ result }) => result)).toMatchObject([
      { data: { content: "1: one" } },
      { metadata: { error_code: "not-found" } },
    ]);
    expect(exitCode).not.toBe(0);
  });

  it("refuses a recording of another version and names both", async () => {
    const { haft, state } = createTestWorkspace(files);
    await haft(["call", "read", "path=a.txt"]);
    const database = new DatabaseSync(join(state, "recordings.db"));
    database.exec("PRAGMA user_version = 99");
    database.close();
    const { stderr, exitCode } = await haft(["replay", "default"]);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain("99");
    expect(stderr).toContain("recordings.db");
  });
});
