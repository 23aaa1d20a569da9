import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { FileSystem } from "@haft/contract";
import type { FileChange } from "@haft/core";
import { describe, expect, it } from "vitest";
import { createDiskComputer } from "../disk/disk-computer.ts";
import { portablePinning } from "../disk/portable-pinning.ts";
import { createDiskWorkspace } from "../test-support/disk-workspace.ts";
import { bytesOf, openScope } from "../test-support/open-scope.ts";
import { isRoot, mountSmallDisk } from "../test-support/privileges.ts";
import { runSource } from "../test-support/spawn-source.ts";
import { openDiskSession } from "./disk-session.ts";
import { readJournal } from "./read-journal.ts";

const change: FileChange = {
  callId: "call-1",
  path: "/w/a.txt",
  before: { kind: "file", content: bytesOf("old"), mode: 0o644 },
  after: { kind: "file", content: bytesOf("new") },
};

const long = (letter: string): string => letter.repeat(9000);

const open = (files: Readonly<Record<string, string>> = {}) => {
  const workspace = createDiskWorkspace(files);
  const { journal, directory } = workspace.computer.openSession("s");
  const { files: surface } = openScope(workspace.computer, undefined, { journal });
  const blobs = join(directory, "blobs");
  const file = join(directory, "journal.jsonl");
  return { ...workspace, journal, directory, file, files: surface, blobs };
};

const calls = (directory: string): string[] => readJournal(directory).map((line) => line.call_id);

describe("the journal on disk", () => {
  it("keeps what was at a path before and after", async () => {
    const { journal, root } = open();
    const path = join(root, "a.txt");
    const states: FileChange["before"][] = [
      { kind: "file", content: new Uint8Array(randomBytes(20_000)), mode: 0o600 },
      { kind: "file", content: bytesOf("short"), mode: 0o755 },
      { kind: "link", target: "../elsewhere" },
      { kind: "directory", mode: 0o700 },
    ];
    for (const before of states) {
      for (const after of [...states, { kind: "absent" } as const]) {
        const [told] = [{ callId: "c", path, before, after }];
        await journal.record([told]);
        expect(await journal.latest(path)).toMatchObject([{ callId: "c", path, before, after }]);
      }
    }
  });

  it("says when a change was made and by which call", async () => {
    const { journal } = open();
    await journal.record([change]);
    const [past] = await journal.latest();
    expect(past?.callId).toBe("call-1");
    expect(Math.abs(Date.now() - (past?.at ?? 0))).toBeLessThan(60_000);
  });

  it("keeps a long file by giving it a second name, and what is left by its difference", async () => {
    const { files, root, blobs, journal, file } = open({ "a.txt": long("a") });
    const { ino } = statSync(join(root, "a.txt"));
    await files.write("a.txt", `${long("a")}b`);
    const [blob = ""] = readdirSync(blobs);
    expect(readdirSync(blobs)).toHaveLength(1);
    expect(statSync(join(blobs, blob))).toMatchObject({ ino, nlink: 1 });
    expect(readFileSync(file, "utf8").length).toBeLessThan(1000);
    expect(await journal.latest("a.txt")).toMatchObject([
      { before: { content: bytesOf(long("a")) }, after: { content: bytesOf(`${long("a")}b`) } },
    ]);
  });

  it("copies a file that others have a name for, through which they could change it", async () => {
    const { files, root, journal } = open({ "a.txt": long("a") });
    linkSync(join(root, "a.txt"), join(root, "other.txt"));
    await files.write("a.txt", "new");
    writeFileSync(join(root, "other.txt"), long("x"));
    expect(await journal.latest("a.txt")).toMatchObject([
      { before: { content: bytesOf(long("a")) } },
    ]);
  });

  it("copies a file that is moved: its user has it still", async () => {
    const { files, root, journal } = open({ "a.txt": long("a") });
    await files.move("a.txt", "b.txt");
    writeFileSync(join(root, "b.txt"), long("x"));
    expect(await journal.latest("a.txt")).toMatchObject([
      { before: { content: bytesOf(long("a")) }, after: { kind: "absent" } },
    ]);
  });

  it("builds a change on the one before, and gives back each of many", async () => {
    const { files, blobs, journal } = open({ "a.txt": long("a") });
    const texts = Array.from({ length: 80 }, (_, index) => `${long("a")}${index}${long("z")}`);
    for (const text of texts) await files.write("a.txt", text);
    expect(readdirSync(blobs).length).toBeLessThan(10);
    for (const text of texts.reverse()) {
      const [past] = await journal.latest("a.txt");
      expect(past?.after).toMatchObject({ content: bytesOf(text) });
      await undo(files, journal);
    }
    expect(await journal.latest()).toEqual([]);
    expect(await files.read("a.txt")).toEqual(bytesOf(long("a")));
  });

  it("joins several changes of a path by one call, unless another change came between", async () => {
    const { files, root, journal } = open({ "a.txt": "1" });
    await files.write("a.txt", "2");
    await files.write("a.txt", "3");
    const joined = await journal.latest();
    expect(joined).toMatchObject([
      { before: { content: bytesOf("1") }, after: { content: bytesOf("3") } },
    ]);
    writeFileSync(join(root, "a.txt"), "theirs");
    await files.write("a.txt", "4");
    expect(await journal.latest()).toMatchObject([
      { before: { content: bytesOf("theirs") }, after: { content: bytesOf("4") } },
    ]);
  });

  it("does not build on a file that another process changed", async () => {
    const { files, root, journal } = open({ "a.txt": long("a") });
    await files.write("a.txt", long("b"));
    writeFileSync(join(root, "a.txt"), long("c"));
    await files.write("a.txt", long("d"));
    const [past] = await journal.latest("a.txt");
    expect(past?.before).toMatchObject({ content: bytesOf(long("c")) });
  });

  it("is empty where there is none", async () => {
    const { journal } = open();
    expect(await journal.latest()).toEqual([]);
    expect(await journal.latest("a.txt")).toEqual([]);
  });

  it("survives being cut off at any byte of its last line", async () => {
    const { journal, directory, file } = open();
    await journal.record([{ ...change, callId: "whole" }]);
    const start = readFileSync(file).length;
    await journal.record([{ ...change, callId: "torn" }]);
    const text = readFileSync(file);
    for (let length = start; length < text.length - 1; length += 7) {
      writeFileSync(file, text.subarray(0, length));
      expect(calls(directory)).toEqual(["whole"]);
    }
    await journal.record([{ ...change, callId: "next" }]);
    expect(calls(directory)).toEqual(["whole", "next"]);
  });

  it.each([1, 3])("refuses entries of version %i", async (version) => {
    const { journal, file } = open();
    await journal.record([change]);
    appendFileSync(file, `{"version":${version}}\n`);
    await expect(journal.latest()).rejects.toMatchObject({
      code: "failed",
      message: expect.stringContaining(`version ${version}`),
    });
  });

  it("notices a blob that is not what it was", async () => {
    const { files, journal, blobs, root } = open({ "a.txt": long("a") });
    await files.write("a.txt", "new");
    truncateSync(join(blobs, readdirSync(blobs)[0] ?? ""), 1);
    await expect(journal.latest()).rejects.toMatchObject({
      code: "failed",
      message: expect.stringMatching(new RegExp(`^${root}/a.txt: .* damaged`, "u")),
    });
  });

  it("drops the oldest contents when there are too many, and says so", async () => {
    const { computer, root, stateDirectory } = createDiskWorkspace({
      "a.txt": long("a"),
      "b.txt": long("b"),
      "c.txt": long("c"),
    });
    const { journal, directory } = openDiskSession("small", {
      root,
      stateDirectory,
      pinning: portablePinning,
      trust: computer.trust,
      flush: false,
      maxJournalBytes: 20_000,
    });
    const { files } = openScope(computer, undefined, { journal });
    for (const path of ["a.txt", "b.txt", "c.txt"]) await files.write(path, "new");
    expect(readdirSync(join(directory, "blobs"))).toHaveLength(2);
    for (const name of ["b", "c"]) {
      expect(await journal.latest(`${name}.txt`)).toMatchObject([
        { before: { content: bytesOf(long(name)) } },
      ]);
    }
    await expect(journal.latest("a.txt")).rejects.toMatchObject({
      code: "failed",
      message: expect.stringMatching(new RegExp(`^${root}/a.txt: .*was dropped to make room`, "u")),
    });
  });

  it("leaves nothing of a change that did not happen", async () => {
    const { computer, root, blobs, journal } = open({ "a.txt": long("a") });
    const { files } = openScope(computer, undefined, {
      record: async (changes) => {
        const recording = await journal.record(changes);
        writeFileSync(join(root, "a.txt"), "theirs");
        return recording;
      },
    });
    const { version } = await files.stat("a.txt");
    await expect(files.write("a.txt", "mine", { expect: version })).rejects.toMatchObject({
      code: "conflict",
    });
    expect(readdirSync(blobs)).toEqual([]);
    expect(await journal.latest()).toEqual([]);
    expect(statSync(join(root, "a.txt")).nlink).toBe(1);
  });

  it("does not wait for the disk where told not to", async () => {
    const { root, stateDirectory } = createDiskWorkspace({ "a.txt": long("a") });
    const computer = createDiskComputer({ workspace: root, stateDirectory, flush: false });
    const { journal } = computer.openSession("s");
    const { files } = openScope(computer, undefined, { journal });
    expect(journal.record([change])).not.toBeInstanceOf(Promise);
    await files.write("a.txt", "new");
    await undo(files, journal);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe(long("a"));
  });

  it("takes lines from several processes", { timeout: 30_000 }, async () => {
    const { computer, root, stateDirectory } = createDiskWorkspace();
    const { directory } = computer.openSession("shared");
    const writers = ["a", "b"].map((name) =>
      runSource("record-changes.ts", [root, stateDirectory, name]),
    );
    await Promise.all(writers);
    expect(calls(directory)).toHaveLength(200);
    expect(calls(directory).filter((call) => call.startsWith("a"))).toEqual(
      Array.from({ length: 100 }, (_, index) => `a${index}`),
    );
  });

  it.skipIf(!isRoot)("copies where the state is on another disk (needs root)", async () => {
    const disk = mountSmallDisk(1024);
    const { root } = createDiskWorkspace({ "a.txt": long("a") });
    mkdirSync(join(disk, "state"));
    const computer = createDiskComputer({ workspace: root, stateDirectory: join(disk, "state") });
    const { journal } = computer.openSession("s");
    const { files } = openScope(computer, undefined, { journal });
    await files.write("a.txt", "new");
    expect(existsSync(join(root, "a.txt"))).toBe(true);
    expect(await journal.latest()).toMatchObject([{ before: { content: bytesOf(long("a")) } }]);
  });
});

// The last change of a.txt.
async function undo(files: FileSystem, journal: ReturnType<typeof open>["journal"]): Promise<void> {
  const past = await journal.latest("a.txt");
  await files.change(past.map(({ id, path, before }) => ({ path, to: before, undoes: id })));
}
