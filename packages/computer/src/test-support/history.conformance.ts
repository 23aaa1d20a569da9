import type { FileSystem } from "@haft/contract";
import type { Computer, Journal } from "@haft/core";
import { describe, expect, it } from "vitest";
import { bytesOf, openScope, readText } from "./open-scope.ts";
import type { CreateComputer } from "./open-workspace.ts";

/** What the sessions of every computer remember of changes. */
export function describeHistory(surface: string, create: CreateComputer): void {
  const open = (given: Readonly<Record<string, string>> = {}) => {
    const computer = create(given);
    const { journal } = computer.openSession("s");
    return { computer, journal, root: computer.roots[0] ?? "", ...bind(computer, journal) };
  };

  describe(`history (${surface})`, () => {
    it("gives all changes of the latest call, newest first, and goes back call by call", async () => {
      const { as, undo, journal, root, files } = open({ "a.txt": "1" });
      await as("one").write("a.txt", "2");
      await as("two").write("a.txt", "3");
      await as("two").write("b.txt", "new");
      expect(await journal.latest()).toMatchObject([
        { callId: "two", path: `${root}/b.txt`, before: { kind: "absent" } },
        { callId: "two", path: `${root}/a.txt`, before: { content: bytesOf("2") } },
      ]);
      await undo();
      expect(await readText(files, "a.txt")).toBe("2");
      expect((await files.list(".")).map(({ name }) => name)).toEqual(["a.txt"]);
      await undo();
      expect(await readText(files, "a.txt")).toBe("1");
      expect(await journal.latest()).toEqual([]);
    });

    it("gives the latest change of a path, however long ago", async () => {
      const { as, undo, journal, root, files } = open({ "a.txt": "1", "b.txt": "1" });
      await as("one").write("a.txt", "2");
      await as("two").write("a.txt", "3");
      await as("three").write("b.txt", "2");
      expect(await journal.latest(`${root}/a.txt`)).toMatchObject([{ callId: "two" }]);
      await undo(`${root}/a.txt`);
      expect(await readText(files, "a.txt")).toBe("2");
      await undo(`${root}/a.txt`);
      expect(await readText(files, "a.txt")).toBe("1");
      expect(await journal.latest(`${root}/a.txt`)).toEqual([]);
      expect(await journal.latest()).toMatchObject([{ callId: "three" }]);
      expect(await journal.latest(`${root}/never.txt`)).toEqual([]);
    });

    it("goes on from where an undo went back to", async () => {
      const { as, undo, files } = open({ "a.txt": "1" });
      await as("one").write("a.txt", "2");
      await as("two").write("a.txt", "3");
      await undo();
      await as("three").write("a.txt", "4");
      await undo();
      expect(await readText(files, "a.txt")).toBe("2");
      await undo();
      expect(await readText(files, "a.txt")).toBe("1");
    });

    it("takes back removals, moves, and directories that were made on the way", async () => {
      const { as, undo, files } = open({ "a.txt": "a", "d/b.txt": "b" });
      const before = await tree(files);
      await as("one").remove("a.txt");
      await as("two").move("d/b.txt", "c.txt");
      await as("three").remove("d");
      await as("four").write("x/y/z.txt", "z", { parents: true });
      for (let round = 0; round < 4; round++) await undo();
      expect(await tree(files)).toEqual(before);
      expect(await readText(files, "a.txt")).toBe("a");
      expect(await readText(files, "d/b.txt")).toBe("b");
    });

    it("passes over what somebody took back by hand", async () => {
      const { as, files, journal } = open({ "a.txt": "1" });
      await as("one").write("a.txt", "2");
      await as("two").write("a.txt", "3");
      await files.write("a.txt", "2");
      expect(await journal.latest()).toMatchObject([{ callId: "one" }]);
    });

    it("does not offer what was dropped", async () => {
      const { journal, root } = open({ "a.txt": "1" });
      const recording = await journal.record([
        {
          callId: "one",
          path: `${root}/a.txt`,
          before: { kind: "file", content: bytesOf("0") },
          after: { kind: "file", content: bytesOf("1") },
        },
      ]);
      expect(await journal.latest()).toHaveLength(1);
      recording?.dropped();
      expect(await journal.latest()).toEqual([]);
    });

    it("notes that a change was taken back also where nothing was to be done", async () => {
      const { as, files, journal } = open({ "d/a.txt": "1" });
      await as("one").change([{ path: "e", to: { kind: "directory" } }]);
      const [past] = await journal.latest();
      await files.write("e/other.txt", "");
      const made = { path: "e", to: { kind: "directory" } } as const;
      await as("two").change([{ ...made, undoes: past?.id ?? "" }]);
      expect(await journal.latest(past?.path)).toEqual([]);
    });

    it("is kept apart by session, and there again when one is opened again", async () => {
      const { computer, as } = open({ "a.txt": "1" });
      await as("one").write("a.txt", "2");
      expect(await computer.openSession("other").journal.latest()).toEqual([]);
      const again = computer.openSession("s").journal;
      expect(await again.latest()).toMatchObject([{ before: { content: bytesOf("1") } }]);
    });
  });
}

function bind(computer: Computer, journal: Journal) {
  const as = (callId: string): FileSystem =>
    openScope(computer, undefined, { journal, callId }).files;
  return {
    as,
    files: openScope(computer).files,
    undo: async (path?: string) => {
      const past = await journal.latest(path);
      await as("undo").change(
        past.map(({ id, path: at, before }) => ({
          path: at,
          to: before,
          undoes: id,
          parents: true,
        })),
      );
    },
  };
}

async function tree(files: FileSystem, directory = "."): Promise<string[]> {
  const found: string[] = [];
  for (const { name, kind } of await files.list(directory)) {
    const path = `${directory}/${name}`;
    found.push(path, ...(kind === "directory" ? await tree(files, path) : []));
  }
  return found;
}
