import { appendFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FileChange } from "@haft/core";
import { describe, expect, it } from "vitest";
import { createDiskWorkspace } from "../test-support/disk-workspace.ts";
import { bytesOf } from "../test-support/open-scope.ts";
import { runSource } from "../test-support/spawn-source.ts";
import { readJournal, readJournalBlob } from "./read-journal.ts";

const change: FileChange = {
  callId: "call-1",
  path: "/w/a.txt",
  before: bytesOf("old"),
  after: bytesOf("new"),
  modeBefore: 0o644,
};

const open = () => {
  const { journal, directory } = createDiskWorkspace().computer.openSession("s");
  return { journal, directory, file: join(directory, "journal.jsonl") };
};

describe("the journal on disk", () => {
  it("keeps what a file held before", () => {
    const { journal, directory } = open();
    journal.record(change);
    journal.record({ ...change, before: undefined, modeBefore: undefined });
    journal.record({ ...change, after: undefined });
    const entries = [...readJournal(directory)];
    expect(entries).toMatchObject([
      { version: 1, call_id: "call-1", path: "/w/a.txt", before: { mode: 0o644 }, after: {} },
      { before: null },
      { after: null },
    ]);
    expect(entries[0]?.after?.sha256).toMatch(/^[0-9a-f]{64}$/u);
    expect(Math.abs(Date.now() - (entries[0]?.at ?? 0))).toBeLessThan(5000);
    expect(readJournalBlob(directory, entries[0]?.before?.blob ?? "")).toEqual(bytesOf("old"));
  });

  it("keeps equal contents once", () => {
    const { journal, directory } = open();
    for (let round = 0; round < 3; round++) journal.record(change);
    expect(readdirSync(join(directory, "blobs"))).toHaveLength(1);
  });

  it("is read from either end", () => {
    const { journal, directory } = open();
    for (const callId of ["1", "2", "3"]) journal.record({ ...change, callId });
    expect([...readJournal(directory)].map((entry) => entry.call_id)).toEqual(["1", "2", "3"]);
    const newest = readJournal(directory, "newest-first");
    expect([...newest].map((entry) => entry.call_id)).toEqual(["3", "2", "1"]);
  });

  it("is empty where there is none", () => {
    expect([...readJournal(open().directory)]).toEqual([]);
  });

  it("survives being cut off at any byte of its last line", () => {
    const { journal, directory, file } = open();
    journal.record({ ...change, callId: "whole" });
    const start = readFileSync(file).length;
    journal.record({ ...change, callId: "torn" });
    const text = readFileSync(file);
    for (let length = start; length < text.length - 1; length += 7) {
      writeFileSync(file, text.subarray(0, length));
      expect([...readJournal(directory)].map((entry) => entry.call_id)).toEqual(["whole"]);
    }
    journal.record({ ...change, callId: "next" });
    expect([...readJournal(directory)].map((entry) => entry.call_id)).toEqual(["whole", "next"]);
  });

  it("refuses entries of another version", () => {
    const { journal, directory, file } = open();
    journal.record(change);
    appendFileSync(file, '{"version":2}\n');
    expect(() => [...readJournal(directory)]).toThrow(/version 2.*version 1/u);
  });

  it("notices a blob that is not what it was", () => {
    const { journal, directory } = open();
    journal.record(change);
    const blob = readdirSync(join(directory, "blobs"))[0] ?? "";
    truncateSync(join(directory, "blobs", blob), 1);
    expect(() => readJournalBlob(directory, blob)).toThrow("damaged");
    expect(() => readJournalBlob(directory, "../session.json")).toThrow(TypeError);
  });

  it("takes lines from several processes", { timeout: 30_000 }, async () => {
    const { computer, root, stateDirectory } = createDiskWorkspace();
    const { directory } = computer.openSession("shared");
    const writers = ["a", "b"].map((name) =>
      runSource("record-changes.ts", [root, stateDirectory, name]),
    );
    await Promise.all(writers);
    const calls = [...readJournal(directory)].map((entry) => entry.call_id);
    expect(calls).toHaveLength(200);
    expect(calls.filter((call) => call.startsWith("a"))).toEqual(
      Array.from({ length: 100 }, (_, index) => `a${index}`),
    );
  });
});
