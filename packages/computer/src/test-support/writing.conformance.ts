import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOf, openScope, readText } from "./open-scope.ts";
import { type CreateComputer, openWorkspace } from "./open-workspace.ts";

/** How the files of every computer are changed. */
export function describeWriting(surface: string, create: CreateComputer): void {
  const open = (files: Readonly<Record<string, string>> = {}) => openWorkspace(create(files));

  describe(`writing (${surface})`, () => {
    it("makes a file and says so", async () => {
      const { files, root, journal, changed } = open();
      const receipt = await files.write("a.txt", "new");
      expect(receipt).toEqual({ created: true, version: (await files.stat("a.txt")).version });
      expect(await readText(files, "a.txt")).toBe("new");
      expect(changed).toEqual([`${root}/a.txt`]);
      expect(journal).toMatchObject([
        {
          callId: "call-1",
          path: `${root}/a.txt`,
          before: { kind: "absent" },
          after: { kind: "file", content: bytesOf("new") },
        },
      ]);
    });

    it("replaces a file and gives its version", async () => {
      const { files, root, journal } = open({ "a.txt": "old" });
      const receipt = await files.write("a.txt", bytesOf("new"));
      expect(receipt).toEqual({ created: false, version: (await files.stat("a.txt")).version });
      expect(await readText(files, "a.txt")).toBe("new");
      expect(journal).toMatchObject([
        {
          path: `${root}/a.txt`,
          before: { kind: "file", content: bytesOf("old"), mode: 0o644 },
          after: { kind: "file", content: bytesOf("new") },
        },
      ]);
    });

    it("leaves nothing else behind", async () => {
      const { files } = open();
      await files.write("a.txt", "1");
      await files.write("a.txt", "2");
      await expect(files.write("a.txt", "3", { expect: "absent" })).rejects.toThrow();
      expect(await files.list(".")).toEqual([{ name: "a.txt", kind: "file" }]);
    });

    it("does not care what the caller does with its bytes afterwards", async () => {
      const { files } = open();
      const content = bytesOf("kept");
      const writing = files.write("a.txt", content);
      content.fill(0);
      await writing;
      expect(await readText(files, "a.txt")).toBe("kept");
    });

    it("gives the version that the next write can expect", async () => {
      const { files } = open();
      const first = await files.write("a.txt", "1", { expect: "absent" });
      const second = await files.write("a.txt", "2", { expect: first.version });
      await files.write("a.txt", "3", { expect: second.version });
      expect(await readText(files, "a.txt")).toBe("3");
    });

    it.each([
      ["a version that is gone", "a.txt", "stale"],
      ["a file that is gone", "gone.txt", "stale"],
      ["no file where there is one", "a.txt", "absent"],
    ])("answers with a conflict to the expectation of %s", async (_case, path, expectation) => {
      const { files, journal, changed } = open({ "a.txt": "old" });
      await expect(files.write(path, "new", { expect: expectation })).rejects.toMatchObject({
        code: "conflict",
      });
      expect(await readText(files, "a.txt")).toBe("old");
      expect([journal, changed]).toEqual([[], []]);
    });

    it("lets the last of several writes win when none expects anything", async () => {
      const { files } = open({ "a.txt": "old" });
      await Promise.all([files.write("a.txt", "one"), files.write("a.txt", "two")]);
      expect(["one", "two"]).toContain(await readText(files, "a.txt"));
    });

    it("needs the parent directory unless told to make it", async () => {
      const { files } = open();
      await expect(files.write("x/y/a.txt", "")).rejects.toMatchObject({ code: "not-found" });
      await files.write("x/y/a.txt", "deep", { parents: true });
      expect(await readText(files, "x/y/a.txt")).toBe("deep");
    });

    it("makes no parent directory outside the grant", async () => {
      const { computer } = open();
      const { files } = openScope(computer, { fs: { read: ["**"], write: ["x/y/*.txt"] } });
      const writing = files.write("x/y/a.txt", "", { parents: true });
      await expect(writing).rejects.toMatchObject({ code: "out-of-scope" });
      await expect(files.stat("x")).rejects.toMatchObject({ code: "not-found" });
    });

    it("does not replace a directory", async () => {
      const { files } = open({ "d/a.txt": "" });
      await expect(files.write("d", "")).rejects.toMatchObject({ code: "failed" });
    });

    it("does not take a file for a parent", async () => {
      const { files } = open({ "a.txt": "" });
      const writing = files.write("a.txt/b.txt", "", { parents: true });
      await expect(writing).rejects.toMatchObject({ code: "failed" });
    });

    it("tells the journal before the change takes effect", async () => {
      const computer = create({ "a.txt": "old" });
      let during: string | undefined;
      const { files } = openScope(computer, undefined, {
        record: async () => {
          during = await readText(files, "a.txt");
        },
      });
      await files.write("a.txt", "new");
      expect(during).toBe("old");
      expect(await readText(files, "a.txt")).toBe("new");
    });

    it.each(["write", "remove", "move"] as const)(
      "does not %s when the journal fails",
      async (verb) => {
        const computer = create({ "a.txt": "old" });
        const { files, changed } = openScope(computer, undefined, {
          record: () => {
            throw new Error("no room");
          },
        });
        const attempt =
          verb === "write"
            ? files.write("a.txt", "new")
            : verb === "remove"
              ? files.remove("a.txt")
              : files.move("a.txt", "b.txt");
        await expect(attempt).rejects.toThrow("no room");
        expect(await readText(files, "a.txt")).toBe("old");
        expect(await files.list(".")).toEqual([{ name: "a.txt", kind: "file" }]);
        expect(changed).toEqual([]);
      },
    );

    it("gives back every content as it was written", async () => {
      const { files } = open();
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), async (content) => {
          await files.write("a.bin", content);
          expect(await files.read("a.bin")).toEqual(content);
        }),
        { numRuns: 25 },
      );
    });
  });

  describe(`removing and moving (${surface})`, () => {
    it("removes a file and keeps its content in the journal", async () => {
      const { files, root, journal, changed } = open({ "a.txt": "old" });
      await files.remove("a.txt");
      await expect(files.stat("a.txt")).rejects.toMatchObject({ code: "not-found" });
      expect(journal).toMatchObject([
        {
          path: `${root}/a.txt`,
          before: { kind: "file", content: bytesOf("old"), mode: 0o644 },
          after: { kind: "absent" },
        },
      ]);
      expect(changed).toEqual([`${root}/a.txt`]);
    });

    it("removes a directory only when it is empty", async () => {
      const { files } = open({ "d/a.txt": "" });
      await expect(files.remove("d")).rejects.toMatchObject({ code: "conflict" });
      await files.remove("d/a.txt");
      expect(await files.list("d")).toEqual([]);
      await files.remove("d");
      expect(await files.list(".")).toEqual([]);
    });

    it("does not remove what is not there, nor the workspace", async () => {
      const { files } = open();
      await expect(files.remove("a.txt")).rejects.toMatchObject({ code: "not-found" });
      await expect(files.remove(".")).rejects.toMatchObject({ code: "denied" });
    });

    it("moves a file and notes both ends", async () => {
      const { files, root, journal, changed } = open({ "a.txt": "text", "d/b.txt": "" });
      await files.move("a.txt", "d/c.txt");
      expect(await readText(files, "d/c.txt")).toBe("text");
      await expect(files.stat("a.txt")).rejects.toMatchObject({ code: "not-found" });
      expect(changed).toEqual([`${root}/a.txt`, `${root}/d/c.txt`]);
      const text = { kind: "file", content: bytesOf("text"), mode: 0o644 };
      expect(journal).toMatchObject([
        { path: `${root}/a.txt`, before: text, after: { kind: "absent" } },
        { path: `${root}/d/c.txt`, before: { kind: "absent" }, after: text },
      ]);
    });

    it.each([
      { title: "onto a file", from: "a.txt", to: "b.txt", code: "conflict" },
      { title: "onto itself", from: "a.txt", to: "a.txt", code: "conflict" },
      { title: "onto a directory", from: "a.txt", to: "d", code: "conflict" },
      { title: "into a missing directory", from: "a.txt", to: "no/a.txt", code: "not-found" },
      { title: "what is not there", from: "no.txt", to: "c.txt", code: "not-found" },
      { title: "a directory", from: "d", to: "e", code: "failed" },
    ])("does not move $title", async ({ from, to, code }) => {
      const { files, changed } = open({ "a.txt": "a", "b.txt": "b", "d/c.txt": "c" });
      await expect(files.move(from, to)).rejects.toMatchObject({ code });
      expect([await readText(files, "a.txt"), await readText(files, "b.txt")]).toEqual(["a", "b"]);
      expect(changed).toEqual([]);
    });
  });
}
