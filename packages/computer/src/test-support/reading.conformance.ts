import { describe, expect, it } from "vitest";
import { bytesOf, readText } from "./open-scope.ts";
import { type CreateComputer, openWorkspace } from "./open-workspace.ts";

/** How the files of every computer are read. */
export function describeReading(surface: string, create: CreateComputer): void {
  const open = (files: Readonly<Record<string, string>> = {}) => openWorkspace(create(files));

  describe(`reading (${surface})`, () => {
    it("returns the whole file", async () => {
      const { files } = open({ "a.txt": "héllo\r\n" });
      expect(await files.read("a.txt")).toEqual(bytesOf("héllo\r\n"));
    });

    it("returns an empty file as no bytes", async () => {
      const { files } = open({ "a.txt": "" });
      expect(await files.read("a.txt")).toEqual(new Uint8Array());
    });

    it("returns only the window that exists", async () => {
      const { files } = open({ "a.txt": "0123456789" });
      expect(await files.read("a.txt", { offset: 2, length: 3 })).toEqual(bytesOf("234"));
      expect(await files.read("a.txt", { offset: 8, length: 10 })).toEqual(bytesOf("89"));
      expect(await files.read("a.txt", { offset: 10, length: 1 })).toEqual(new Uint8Array());
      expect(await files.read("a.txt", { offset: 99, length: 1 })).toEqual(new Uint8Array());
      expect(await files.read("a.txt", { offset: 0, length: 0 })).toEqual(new Uint8Array());
    });

    it.each([
      { offset: -1, length: 1 },
      { offset: 0, length: -1 },
      { offset: 0.5, length: 1 },
      { offset: 0, length: Number.NaN },
    ])("refuses the window $offset, $length", async (window) => {
      const { files } = open({ "a.txt": "text" });
      await expect(files.read("a.txt", window)).rejects.toMatchObject({
        code: "invalid-arguments",
      });
    });

    it("hands out bytes of its own", async () => {
      const { files } = open({ "a.txt": "text" });
      (await files.read("a.txt")).fill(0);
      expect(await readText(files, "a.txt")).toBe("text");
    });

    it("says of a missing file that it is missing", async () => {
      const { files, root } = open();
      await expect(files.read("no/such.txt")).rejects.toMatchObject({
        code: "not-found",
        message: expect.stringMatching(
          new RegExp(`^No such file or directory: ${root}/no/such.txt`),
        ),
        absolutePath: `${root}/no/such.txt`,
      });
      await expect(files.stat("no")).rejects.toMatchObject({ code: "not-found" });
    });

    it("says of a directory that it is one", async () => {
      const { files } = open({ "d/a.txt": "" });
      await expect(files.read("d")).rejects.toMatchObject({
        code: "failed",
        message: expect.stringContaining("Is a directory"),
      });
    });

    it("says of a path through a file that this is no directory", async () => {
      const { files } = open({ "a.txt": "" });
      await expect(files.read("a.txt/b")).rejects.toMatchObject({
        code: "failed",
        message: expect.stringContaining("Not a directory"),
      });
    });
  });

  describe(`stat and list (${surface})`, () => {
    it("tells files from directories", async () => {
      const { files } = open({ "d/a.txt": "four" });
      expect(await files.stat("d/a.txt")).toMatchObject({ kind: "file", size: 4, mode: 0o644 });
      expect(await files.stat("d")).toMatchObject({ kind: "directory" });
    });

    it("keeps a version while nothing changes and changes it with every write", async () => {
      const { files } = open({ "a.txt": "one" });
      const versions = [(await files.stat("a.txt")).version];
      expect((await files.stat("a.txt")).version).toBe(versions[0]);
      for (const text of ["two", "two", "six"]) {
        await files.write("a.txt", text);
        versions.push((await files.stat("a.txt")).version);
      }
      expect(new Set(versions).size).toBe(4);
    });

    it("lists names sorted by code unit", async () => {
      const names = ["b", "B", "a", "ä", "10", "9", "_", "\u{1F600}", "\uFFFD"];
      const { files } = open(Object.fromEntries(names.map((name) => [`d/${name}`, ""])));
      const listed = await files.list("d");
      expect(listed.map((entry) => entry.name)).toEqual([...names].sort());
      expect(listed.every((entry) => entry.kind === "file")).toBe(true);
    });

    it("lists directories as such, and only what is directly in one", async () => {
      const { files } = open({ "d/e/f.txt": "", "d/g.txt": "" });
      expect(await files.list("d")).toEqual([
        { name: "e", kind: "directory" },
        { name: "g.txt", kind: "file" },
      ]);
    });

    it("does not list a file", async () => {
      const { files } = open({ "a.txt": "" });
      await expect(files.list("a.txt")).rejects.toMatchObject({ code: "failed" });
    });
  });
}
