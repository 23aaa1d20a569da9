import { readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCodes } from "@haft/contract";
import type { CallOutcome, Plan } from "@haft/core";
import { describe, expect, it } from "vitest";
import { createTestWorkspace } from "../test-support/run-haft.ts";

const readA = { name: "read", arguments: { path: "a.txt" } };
const readB = { name: "read", arguments: { path: "b.txt" } };
const writeA = { name: "write", arguments: { path: "a.txt", content: "new" } };
const files = { "a.txt": "old\n", "b.txt": "b\n" };

describe("haft batch", () => {
  it("gives results in request order and keeps the order of calls that conflict", async () => {
    const { haft } = createTestWorkspace(files);
    const input = JSON.stringify([readA, writeA, { id: "last", ...readA }, readB]);
    const ran = await haft(["batch", "--yes", "--json"], { input });
    const outcomes = ran.json<CallOutcome[]>();
    expect(outcomes.map(({ id, name }) => [id, name])).toEqual([
      ["1", "read"],
      ["2", "write"],
      ["last", "read"],
      ["4", "read"],
    ]);
    expect(outcomes.map(({ result }) => result)).toMatchObject([
      { data: { content: "1: old" } },
      { data: { created: false } },
      { data: { content: "1: new" } },
      { data: { content: "1: b" } },
    ]);
    expect(ran.exitCode).toBe(0);
  });

  it("reads the calls from a file and shows each result under its call", async () => {
    const { haft } = createTestWorkspace({ ...files, "calls.json": JSON.stringify([readA]) });
    const { stdout } = await haft(["batch", "calls.json"]);
    expect(stdout).toBe("== 1 read\n1: old\n");
  });

  it("ends with the code of the first call that failed, having made the others", async () => {
    const { haft, directory } = createTestWorkspace(files);
    const missing = { name: "read", arguments: { path: "missing" } };
    const input = JSON.stringify([readB, missing, { name: "reed" }, writeA]);
    const { exitCode } = await haft(["batch", "--yes", "--json"], { input });
    expect(exitCode).toBe(errorCodes["not-found"].exitCode);
    expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("new\n");
  });

  it("shows with --plan what runs beside what, and why not, without running it", async () => {
    const { haft, directory } = createTestWorkspace(files);
    const input = JSON.stringify([readA, readB, writeA, readB, { name: "reed" }]);
    const plan = (await haft(["batch", "--plan", "--json"], { input })).json<Plan>();
    expect(plan.batches).toEqual([
      ["1", "2"],
      ["3", "4"],
    ]);
    expect(plan.calls[2]?.waits_for).toEqual([
      { id: "1", why: `one writes and one reads ${join(directory, "a.txt")}` },
    ]);
    expect(plan.calls[4]?.error_text).toContain("Did you mean read");
    const { stdout } = await haft(["batch", "--plan"], { input });
    expect(stdout).toContain("after 1: one writes and one reads");
    expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("old\n");
  });

  it.each([
    ["{", "not valid JSON"],
    ["{}", "JSON array"],
    ["[1]", "Call 1 of the batch"],
    ['[{"name":"read"},{"tool":"read"}]', 'Call 2 of the batch has an unknown field "tool"'],
    ['[{"id":"x","name":"read"},{"id":"x","name":"read"}]', "the ID x"],
  ])("refuses the batch %s and names the fault", async (input, reason) => {
    const { exitCode, stderr, stdout } = await createTestWorkspace().haft(["batch"], { input });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(reason);
    expect(stdout).toBe("");
  });

  it("names a file that can't be read", async () => {
    const { exitCode, stderr } = await createTestWorkspace().haft(["batch", "nope.json"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("nope.json");
  });
});
