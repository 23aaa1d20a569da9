import type { FileSystem, PathChange, PathState } from "@haft/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOf, openScope, readText } from "./open-scope.ts";
import { type CreateComputer, openWorkspace } from "./open-workspace.ts";

const file = (text: string): PathState => ({ kind: "file", content: bytesOf(text) });
const absent: PathState = { kind: "absent" };
const directory: PathState = { kind: "directory" };

/** How the files of every computer are loaded, and how several are changed together. */
export function describeChanging(surface: string, create: CreateComputer): void {
  const open = (files: Readonly<Record<string, string>> = {}) => openWorkspace(create(files));

  describe(`loading (${surface})`, () => {
    it("gives the bytes and the version that they are", async () => {
      const { files } = open({ "a.txt": "héllo" });
      const { content, version } = await files.load("a.txt");
      expect(content).toEqual(bytesOf("héllo"));
      expect(version).toBe((await files.stat("a.txt")).version);
      await files.write("a.txt", "new", { expect: version });
      await expect(files.write("a.txt", "newer", { expect: version })).rejects.toMatchObject({
        code: "conflict",
      });
    });

    it("hands out bytes of its own", async () => {
      const { files, journal } = open({ "a.txt": "text" });
      const { content, version } = await files.load("a.txt");
      content.fill(0);
      await files.write("a.txt", "new", { expect: version });
      expect(journal[0]?.before).toMatchObject({ content: bytesOf("text") });
    });

    it.each([
      ["no.txt", "not-found"],
      ["d", "failed"],
      ["a.txt/b", "failed"],
      ["../x", "out-of-scope"],
      [".env", "secret-file"],
      ["no/.env", "secret-file"],
    ])("refuses %s as reading does", async (path, code) => {
      const { files } = open({ "a.txt": "", "d/b.txt": "", ".env": "" });
      await expect(files.load(path)).rejects.toMatchObject({ code });
    });
  });

  describe(`changing several paths (${surface})`, () => {
    it("makes, replaces and removes, and says what it did", async () => {
      const { files, root, journal, changed } = open({ "a.txt": "a", "b.txt": "b" });
      const receipts = await files.change([
        { path: "b.txt", to: absent },
        { path: "x/y/c.txt", to: file("c"), parents: true, expect: "absent" },
        { path: "a.txt", to: file("new"), expect: (await files.stat("a.txt")).version },
      ]);
      expect(receipts).toEqual([
        { path: `${root}/b.txt`, created: false },
        {
          path: `${root}/x/y/c.txt`,
          created: true,
          version: (await files.stat("x/y/c.txt")).version,
        },
        { path: `${root}/a.txt`, created: false, version: (await files.stat("a.txt")).version },
      ]);
      expect(await readText(files, "x/y/c.txt")).toBe("c");
      expect(await readText(files, "a.txt")).toBe("new");
      await expect(files.stat("b.txt")).rejects.toMatchObject({ code: "not-found" });
      expect(changed.toSorted()).toEqual(
        [`${root}/a.txt`, `${root}/b.txt`, `${root}/x/y/c.txt`].sort(),
      );
      expect(journal).toMatchObject([
        { path: `${root}/x`, before: absent, after: directory },
        { path: `${root}/x/y`, before: absent, after: directory },
        { path: `${root}/x/y/c.txt`, before: absent, after: file("c") },
        { path: `${root}/a.txt`, before: file("a"), after: file("new") },
        { path: `${root}/b.txt`, before: file("b"), after: absent },
      ]);
    });

    it("has nothing to do where nothing is asked for", async () => {
      const { files, journal } = open();
      expect(await files.change([])).toEqual([]);
      expect(journal).toEqual([]);
    });

    it("gives a file the mode it is told, else leaves the one it has", async () => {
      const { files } = open({ "a.sh": "", "b.sh": "" });
      await files.change([
        { path: "a.sh", to: { kind: "file", content: bytesOf("1"), mode: 0o755 } },
        { path: "b.sh", to: file("2") },
      ]);
      await files.change([{ path: "a.sh", to: file("3") }]);
      expect((await files.stat("a.sh")).mode).toBe(0o755);
      expect((await files.stat("b.sh")).mode).toBe(0o644);
    });

    it("makes directories before what goes into them and empties them before they go", async () => {
      const { files } = open();
      const down: PathChange[] = [
        { path: "d/e/a.txt", to: file("a") },
        { path: "d/e", to: directory },
        { path: "d", to: directory },
      ];
      await files.change(down);
      expect(await readText(files, "d/e/a.txt")).toBe("a");
      await files.change(down.toReversed().map(({ path }) => ({ path, to: absent })));
      expect(await files.list(".")).toEqual([]);
    });

    it("leaves a directory that is there, and what is gone, if that is expected", async () => {
      const { files, journal } = open({ "d/a.txt": "" });
      const receipts = await files.change([
        { path: "d", to: directory },
        { path: "gone.txt", to: absent, expect: "absent" },
      ]);
      expect(receipts).toMatchObject([{ created: false }, { created: false }]);
      expect(journal).toEqual([]);
    });

    it.each<[string, string, PathChange]>([
      ["a version that is gone", "conflict", { path: "b.txt", to: file(""), expect: "stale" }],
      ["a name that is taken", "conflict", { path: "b.txt", to: file(""), expect: "absent" }],
      ["a removal of nothing", "not-found", { path: "no.txt", to: absent }],
      ["a directory that is not empty", "conflict", { path: "d", to: absent }],
      ["a file in place of a directory", "failed", { path: "d", to: file("") }],
      ["a directory in place of a file", "conflict", { path: "b.txt", to: directory }],
      ["a missing directory", "not-found", { path: "no/c.txt", to: file("") }],
      ["a file taken for a directory", "failed", { path: "b.txt/c.txt", to: file("") }],
      ["a path out of scope", "out-of-scope", { path: "../x/y", to: file(""), parents: true }],
      ["a protected path", "denied", { path: ".git/hooks/x", to: file(""), parents: true }],
      ["the workspace itself", "denied", { path: ".", to: absent }],
      ["one path twice", "invalid-arguments", { path: "./a.txt", to: absent }],
    ])("does nothing at all because of %s", async (_what, code, bad) => {
      const { files, changed } = open({ "a.txt": "a", "b.txt": "b", "d/c.txt": "c" });
      const good: PathChange[] = [
        { path: "a.txt", to: file("new") },
        { path: "x/y/new.txt", to: file("new"), parents: true },
        { path: "e", to: directory },
        { path: "e/f.txt", to: file("new") },
      ];
      const before = await listAll();
      for (const changes of [
        [bad, ...good],
        [...good, bad],
      ]) {
        await expect(files.change(changes)).rejects.toMatchObject({ code });
        expect(await listAll()).toEqual(before);
      }
      expect(changed).toEqual([]);

      async function listAll(): Promise<unknown> {
        const texts = ["a.txt", "b.txt", "d/c.txt"].map((path) => readText(files, path));
        return [await files.list("."), await files.list("d"), await Promise.all(texts)];
      }
    });

    it("does nothing when the journal fails", async () => {
      const { files, changed } = openScope(create({ "a.txt": "a", "b.txt": "b" }), undefined, {
        record: async () => {
          throw new Error("no room");
        },
      });
      const changing = files.change([
        { path: "a.txt", to: file("new") },
        { path: "x/c.txt", to: file("new"), parents: true },
        { path: "b.txt", to: absent },
      ]);
      await expect(changing).rejects.toThrow("no room");
      expect((await files.list(".")).map(({ name }) => name)).toEqual(["a.txt", "b.txt"]);
      expect(await readText(files, "a.txt")).toBe("a");
      expect(changed).toEqual([]);
    });

    it("tells the journal of all at once, before any takes effect", async () => {
      let during: string | undefined;
      const told: number[] = [];
      const { files } = openScope(create({ "a.txt": "a", "b.txt": "b" }), undefined, {
        record: async (changes) => {
          told.push(changes.length);
          during = `${await readText(files, "a.txt")},${await readText(files, "b.txt")}`;
        },
      });
      await files.change([
        { path: "a.txt", to: file("1") },
        { path: "b.txt", to: file("2") },
      ]);
      expect(told).toEqual([2]);
      expect(during).toBe("a,b");
    });

    it("does not care what the caller does with its bytes afterwards", async () => {
      const { files, journal } = open({ "a.txt": "old" });
      const content = bytesOf("kept");
      const changing = files.change([{ path: "a.txt", to: { kind: "file", content } }]);
      content.fill(0);
      await changing;
      expect(await readText(files, "a.txt")).toBe("kept");
      expect(journal).toMatchObject([{ after: file("kept") }]);
    });

    it("does all or nothing, whatever is asked for, and all of it can be taken back", async () => {
      const names = ["a", "b", "d", "d/c", "d/e", "n", "n/m"];
      const to = fc.oneof(
        fc.uint8Array({ maxLength: 5 }).map((content): PathState => ({ kind: "file", content })),
        fc.constantFrom(absent, directory),
      );
      const change = fc
        .record({
          path: fc.constantFrom(...names),
          to,
          expect: fc.constantFrom(undefined, undefined, "absent", "stale"),
          parents: fc.boolean(),
        })
        .map(({ expect, ...rest }): PathChange => ({ ...rest, ...(expect && { expect }) }));
      await fc.assert(
        fc.asyncProperty(fc.array(change, { maxLength: 5 }), async (changes) => {
          const computer = create({ a: "a", b: "b", "d/c": "c" });
          const { journal } = computer.openSession("s");
          const { files } = openScope(computer, undefined, { journal });
          const before = await lookAtAll(files, names);
          const isDone = await files.change(changes).then(
            () => true,
            () => false,
          );
          const after = await lookAtAll(files, names);
          if (isDone) for (const one of changes) expect(after[one.path]).toBe(toText(one.to));
          else expect(after).toEqual(before);
          const past = await journal.latest();
          await files.change(
            past.map(({ id, path, before: at }) => ({ path, to: at, undoes: id, parents: true })),
          );
          expect(await lookAtAll(files, names)).toEqual(before);
          expect(await journal.latest()).toEqual([]);
        }),
        { numRuns: 40 },
      );
    });
  });
}

async function lookAtAll(
  files: FileSystem,
  names: readonly string[],
): Promise<Record<string, string | undefined>> {
  const found: Record<string, string | undefined> = {};
  for (const name of names) {
    try {
      const { kind } = await files.stat(name);
      found[name] =
        kind === "directory" ? kind : toText({ kind: "file", content: await files.read(name) });
    } catch {
      found[name] = undefined;
    }
  }
  return found;
}

function toText(state: PathState): string | undefined {
  if (state.kind === "absent") return undefined;
  return state.kind === "file" ? `file ${state.content.join(" ")}` : state.kind;
}
