import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOf, openScope, readText } from "./open-scope.ts";
import { type CreateComputer, openWorkspace } from "./open-workspace.ts";

/** How parts of the files of every computer are replaced. */
export function describeSplicing(surface: string, create: CreateComputer): void {
  describe(`splicing (${surface})`, () => {
    it("replaces parts of what was loaded", async () => {
      const { files, root, changed } = openWorkspace(create({ a: "one two three" }));
      const loaded = await files.load("a");
      const receipt = await files.splice(
        "a",
        [
          { start: 0, end: 3, bytes: bytesOf("1") },
          { start: 8, end: 8, bytes: bytesOf("and ") },
        ],
        loaded,
      );
      expect(receipt).toEqual({ created: false, version: (await files.stat("a")).version });
      expect(await readText(files, "a")).toBe("1 two and three");
      expect(changed).toEqual([`${root}/a`]);
    });

    it("is a conflict if the file is another by now, or gone", async () => {
      const { files } = openWorkspace(create({ a: "old" }));
      const loaded = await files.load("a");
      const splices = [{ start: 0, end: 3, bytes: bytesOf("new") }];
      await files.write("a", "other");
      await expect(files.splice("a", splices, loaded)).rejects.toMatchObject({ code: "conflict" });
      expect(await readText(files, "a")).toBe("other");
      await files.remove("a");
      await expect(files.splice("a", splices, loaded)).rejects.toMatchObject({ code: "conflict" });
      expect(await files.list(".")).toEqual([]);
    });

    it("changes nothing outside of the call's scope", async () => {
      const { files, root } = openWorkspace(create({ a: "old" }));
      const loaded = await files.load("a");
      const splices = [{ start: 0, end: 3, bytes: bytesOf("new") }];
      for (const path of ["../a", "/etc/hostname", `${root}/.git/config`]) {
        await expect(files.splice(path, splices, loaded)).rejects.toMatchObject({
          code: expect.stringMatching(/^(?:out-of-scope|denied)$/u),
        });
      }
    });

    it("can be taken back step by step, whatever was replaced", async () => {
      const computer = create({ a: "" });
      const { journal } = computer.openSession("splicing");
      let calls = 0;
      const open = () => openScope(computer, undefined, { journal, callId: `${calls++}` }).files;
      const part = fc.tuple(fc.nat(), fc.nat(), fc.uint8Array({ maxLength: 5_000 }));
      await fc.assert(
        fc.asyncProperty(
          fc.uint8Array({ maxLength: 9_000, size: "max" }),
          fc.array(part, { minLength: 1, maxLength: 4 }),
          async (content, parts) => {
            await open().write("a", content);
            const states: Uint8Array[] = [];
            for (const [from, to, bytes] of parts) {
              const files = open();
              const loaded = await files.load("a");
              const { length } = loaded.content;
              const places = [from % (length + 1), to % (length + 1)];
              const [start, end] = [Math.min(...places), Math.max(...places)];
              // What changes nothing is nothing to take back.
              if (isSame(loaded.content.subarray(start, end), bytes)) continue;
              states.push(loaded.content.slice());
              await files.splice("a", [{ start, end, bytes }], loaded);
            }
            for (const state of states.reverse()) {
              const [last] = await journal.latest(`${computer.roots[0]}/a`);
              if (last === undefined) throw new Error("Nothing is noted.");
              await open().change([{ path: "a", to: last.before, undoes: last.id }]);
              expect(isSame((await open().load("a")).content, state)).toBe(true);
            }
          },
        ),
        { numRuns: 30 },
      );
    });
  });
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
