import { type FileSystem, ToolError } from "@haft/contract";
import { describeToolContract } from "@haft/contract/testing";
import type { Computer } from "@haft/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { computers, type Files, openRuntime } from "../test-support/computers.ts";
import { openSession, type TestSession } from "../test-support/open-session.ts";
import { undoEdit } from "./undo-edit.ts";

describe.each(computers)("undo_edit %s", (_, make) => {
  /** A session, and the files as the user sees and changes them beside it. */
  const open = (files: Files = {}): TestSession & { root: string; user: User } => {
    const computer = make(files);
    return { ...openSession(computer), root: computer.roots[0] ?? "", user: openUser(computer) };
  };

  it("brings back what a file held before, bytes and all", async () => {
    const before = Uint8Array.of(0xff, 0, 0x0d, 0x0a, 0x80);
    const { run, root, user } = open({ a: before });
    await run("write", { path: "a", content: "new" });
    expect(await run("undo_edit", { path: "a" })).toEqual({
      undone: [{ path: `${root}/a`, action: "restored" }],
      message: `Restored ${root}/a.`,
    });
    expect(await user.bytes("a")).toEqual(before);
  });

  it("shows what it changed as a diff", async () => {
    const { run } = open({ a: "one\ntwo\n" });
    await run("write", { path: "a", content: "one\n2\n" });
    const { undone } = (await run("undo_edit", {})) as { undone: { diff: string }[] };
    expect(undone[0]?.diff).toContain("\n one\n-2\n+two\n");
  });

  it("removes what a call created, and brings back what it deleted", async () => {
    const { run, root, user } = open({ old: "text" });
    await run("write", { path: "d/new", content: "x" });
    await run("delete_file", { path: "old" });
    expect(await user.read("old")).toBeUndefined();
    expect(await run("undo_edit", {})).toMatchObject({ undone: [{ action: "restored" }] });
    expect(await user.read("old")).toBe("text");
    expect(await run("undo_edit", {})).toMatchObject({
      undone: [
        { path: `${root}/d/new`, action: "removed" },
        { path: `${root}/d`, action: "removed" },
      ],
      message: expect.stringContaining(`Removed ${root}/d/new, which the change had created.`),
    });
    expect(await user.read("d/new")).toBeUndefined();
  });

  it("changes nothing at a place that a rule has closed since, also without naming it", async () => {
    const computer = make({ "closed/a": "old", b: "old" });
    await openSession(computer).run("apply_patch", {
      patch:
        "*** Begin Patch\n*** Add File: closed/a\n+new\n*** Add File: b\n+new\n*** End Patch\n",
    });
    const closed = openSession(computer, "test", [
      { permission: "fs.write", pattern: "closed/**", action: "deny" },
    ]);
    expect(await closed.call("undo_edit", {})).toMatchObject({
      metadata: { error_code: "denied" },
    });
    expect(await openUser(computer).read("b")).toBe("new\n");
  });

  it("goes further back every time, and says when nothing is left", async () => {
    const { run, call, user } = open({ a: "0\n" });
    for (const content of ["1", "2", "3"]) await run("write", { path: "a", content });
    const seen: unknown[] = [];
    for (let round = 0; round < 3; round++) {
      await run("undo_edit", { path: "a" });
      seen.push(await user.read("a"));
    }
    expect(seen).toEqual(["2\n", "1\n", "0\n"]);
    for (const args of [{}, { path: "a" }]) {
      expect(await call("undo_edit", args)).toMatchObject({
        error_text: expect.stringContaining("Nothing to undo"),
        metadata: { error_code: "not-found" },
      });
    }
  });

  it("undoes the last change of the file that is named, whatever came after", async () => {
    const { run, user } = open({ a: "a\n", b: "b\n" });
    await run("write", { path: "a", content: "A" });
    await run("write", { path: "b", content: "B" });
    await run("undo_edit", { path: "a" });
    expect([await user.read("a"), await user.read("b")]).toEqual(["a\n", "B\n"]);
  });

  it.each(["from", "to"])("moves a file back when asked by where it %s", async (end) => {
    const { run, root, user } = open({ "src/a": "text" });
    await run("move_file", { from: "src/a", to: "new/deep/b" });
    await run("write", { path: "later", content: "" });
    const path = end === "from" ? "src/a" : "new/deep/b";
    const { undone } = (await run("undo_edit", { path })) as { undone: { path: string }[] };
    expect(undone.map((one) => one.path).sort()).toEqual([`${root}/new/deep/b`, `${root}/src/a`]);
    expect([await user.read("src/a"), await user.read("new/deep/b")]).toEqual(["text", undefined]);
  });

  it("moves a file back with the whole call", async () => {
    const { run, user } = open({ a: "text" });
    await run("move_file", { from: "a", to: "new/b" });
    await run("undo_edit", {});
    expect([await user.read("a"), await user.read("new/b")]).toEqual(["text", undefined]);
    expect(await user.exists("new")).toBe(false);
  });

  it("keeps a directory that something else has come into, and continues", async () => {
    const { run, user } = open({ a: "0\n" });
    await run("write", { path: "a", content: "1" });
    await run("write", { path: "d/new", content: "x" });
    await user.write("d/mine", "mine");
    expect(await run("undo_edit", {})).toMatchObject({
      undone: [{ action: "removed" }, { action: "unchanged" }],
    });
    expect(await user.read("d/mine")).toBe("mine");
    await run("undo_edit", {});
    expect(await user.read("a")).toBe("0\n");
  });

  it("undoes a patch of several files at once, or none of it", async () => {
    const { run, call, user } = open({ a: "1\n2\n3\n4\n", b: "b\n", c: "c\n" });
    const patch = [
      "*** Begin Patch",
      ...["*** Update File: a", "*** Move to: moved/a", "@@", "-1", "+one"],
      ...["*** Update File: b", "@@", "-b", "+B", "*** Delete File: c"],
      ...["*** Add File: d", "+d", "*** End Patch"],
    ].join("\n");
    await run("apply_patch", { patch });
    await user.write("b", "mine\n");
    expect(await call("undo_edit", {})).toMatchObject({ metadata: { error_code: "conflict" } });
    expect([await user.read("a"), await user.read("d")]).toEqual([undefined, "d\n"]);
    await user.write("b", "B\n");
    await run("undo_edit", { path: "moved/a" });
    expect([await user.read("a"), await user.read("moved/a")]).toEqual(["1\n2\n3\n4\n", undefined]);
    await run("undo_edit", {});
    expect([await user.read("b"), await user.read("c"), await user.read("d")]).toEqual([
      "b\n",
      "c\n",
      undefined,
    ]);
  });

  it("keeps what the user changed on other lines", async () => {
    const { run, user } = open({ a: "1\r\n2\n3\n4\n5" });
    await run("write", { path: "a", content: "1\r\nTWO\n3\n4\n5" });
    await user.write("a", "0\n1\r\nTWO\n3\n4!\n5\n");
    expect(await run("undo_edit", { path: "a" })).toMatchObject({ undone: [{ action: "merged" }] });
    expect(await user.read("a")).toBe("0\n1\r\n2\n3\n4!\n5");
  });

  it("refuses where the user changed the same lines, and says which", async () => {
    const { run, call, root, user } = open({ a: "1\n2\n3\n" });
    await run("write", { path: "a", content: "1\ntwo\n3\n" });
    await user.write("a", "1\ntwo!\n3\n");
    expect(await call("undo_edit", {})).toMatchObject({
      error_text: expect.stringMatching(/Can't undo .*\/a: line 2 changed since/u),
      metadata: { error_code: "conflict", absolute_path: `${root}/a` },
    });
    expect(await user.read("a")).toBe("1\ntwo!\n3\n");
  });

  it.each([
    ["deleted since", "a", async (user: User) => user.remove("a")],
    ["edited since", "new", async (user: User) => user.write("new", "mine")],
    ["another file is there", "gone", async (user: User) => user.write("gone", "mine")],
  ])("refuses what was %s", async (reason, path, change) => {
    const { run, call, user } = open({ a: "1\n", gone: "2\n" });
    await run("write", { path: "a", content: "x" });
    await run("write", { path: "new", content: "x" });
    await run("delete_file", { path: "gone" });
    await change(user);
    const before = await user.read(path);
    expect(await call("undo_edit", { path })).toMatchObject({
      error_text: expect.stringContaining(reason),
      metadata: { error_code: "conflict" },
    });
    expect(await user.read(path)).toBe(before);
  });

  it("passes over what the user took back already", async () => {
    const { run, call, user } = open({ a: "0\n" });
    await run("write", { path: "a", content: "1" });
    await run("write", { path: "new", content: "x" });
    await user.remove("new");
    await run("undo_edit", {});
    expect(await user.read("a")).toBe("0\n");
    expect(await call("undo_edit", {})).toMatchObject({ metadata: { error_code: "not-found" } });
  });

  it("shows nothing of a file with secrets, and does not touch one that it can't compare", async () => {
    const { run, call, user } = open({ ".env": "PASSWORD=hunter2\n" });
    await run("write", { path: ".env", content: "x" });
    const refused = await call("undo_edit", {});
    expect(refused).toMatchObject({ metadata: { error_code: "conflict" } });
    expect(JSON.stringify(refused)).not.toContain("hunter2");
    await run("delete_file", { path: ".env" });
    const restored = await call("undo_edit", {});
    expect(restored).toMatchObject({ data: { undone: [{ action: "restored" }] } });
    expect(JSON.stringify(restored)).not.toContain("hunter2");
    expect(await user.exists(".env")).toBe(true);
  });

  it("changes nothing when it is already aborted", async () => {
    const computer = make({ a: "" });
    const runtime = openRuntime(computer, undoEdit, { signal: AbortSignal.abort() });
    await expect(undoEdit.execute({}, runtime)).rejects.toMatchObject({ code: "cancelled" });
  });

  it("returns the bytes of any file after any writes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.array(fc.string({ maxLength: 100 }), { minLength: 1, maxLength: 4 }),
        async (before, contents) => {
          const { run, call, user } = open({ a: before });
          for (const content of contents) await run("write", { path: "a", content });
          // A write that changed nothing leaves nothing to undo.
          for (let left = true; left; ) {
            left = (await call("undo_edit", { path: "a" })).type === "output";
          }
          expect(await user.bytes("a")).toEqual(before);
        },
      ),
      { numRuns: 20 },
    );
  });

  it("gives the file before with the user's changes in it, or leaves it alone", async () => {
    const line = fc.constantFrom("a", "b", "c", "d\r", "e");
    const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n"));
    await fc.assert(
      fc.asyncProperty(text, text, text, async (before, content, edited) => {
        const { run, call, user } = open({ a: before });
        await run("write", { path: "a", content });
        // Marked, so that what the user did is known wherever it ends up.
        const mine = edited === "" ? "" : `mine:${edited}`;
        await user.write("a", `${content}\n${mine}`);
        const present = await user.read("a");
        const result = await call("undo_edit", { path: "a" });
        const after = await user.read("a");
        if (result.type === "error") expect(after).toBe(present);
        else expect(after).toContain(mine);
      }),
      { numRuns: 30 },
    );
  });

  const past = { id: "1", callId: "c", at: 0 };
  const runtime = () => {
    const computer = make({ a: "new\n", b: "other\n" });
    const change = (path: string) => ({
      ...past,
      path: `${computer.roots[0]}/${path}`,
      before: { kind: "file" as const, content: new TextEncoder().encode("old\n") },
      after: { kind: "file" as const, content: new TextEncoder().encode("new\n") },
    });
    const latest = async (path?: string) => {
      if (path?.endsWith("/none")) return [];
      return [change(path?.endsWith("/b") ? "b" : "a")];
    };
    return openRuntime(computer, undoEdit, { history: { latest } });
  };
  describeToolContract(undoEdit, [
    {
      name: "the last change",
      arguments: {},
      runtime,
      expect: { data: { undone: [{ action: "restored" }] } },
    },
    {
      name: "a change of a file",
      arguments: { path: "a" },
      runtime,
      expect: { data: { undone: [{ action: "restored" }] } },
    },
    { name: "a conflict", arguments: { path: "b" }, runtime, expect: { error: "conflict" } },
    { name: "nothing", arguments: { path: "none" }, runtime, expect: { error: "not-found" } },
    { name: "no path", arguments: { path: "" }, expect: { error: "invalid-arguments" } },
  ]);
});

/** Somebody who changes files without telling the session. */
interface User {
  read(path: string): Promise<string | undefined>;
  bytes(path: string): Promise<Uint8Array>;
  exists(path: string): Promise<boolean>;
  write(path: string, content: string): Promise<unknown>;
  remove(path: string): Promise<void>;
}

function openUser(computer: Computer): User {
  const { fs }: { fs: FileSystem } = openRuntime(computer, undoEdit);
  const orUndefined = (error: unknown): undefined => {
    if (ToolError.isInstance(error) && error.code === "not-found") return undefined;
    throw error;
  };
  return {
    read: (path) => fs.read(path).then((bytes) => new TextDecoder().decode(bytes), orUndefined),
    bytes: (path) => fs.read(path),
    exists: (path) =>
      fs.stat(path).then(
        () => true,
        () => false,
      ),
    write: (path, content) => fs.write(path, content),
    remove: (path) => fs.remove(path),
  };
}
