import type { FileSystem } from "@haft/contract";
import { bytesOf } from "./open-scope.ts";

/** Changes that a process may die at, between any two steps. */
export interface CrashScenario {
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
  change(files: FileSystem): Promise<unknown>;
}

const long = (letter: string): string => `${letter.repeat(6000)}\n`;

/** One for each kind of change. */
export const crashScenarios: Readonly<Record<string, CrashScenario>> = {
  write: {
    before: { "a.txt": long("a") },
    after: { "a.txt": long("b") },
    change: (files) => files.write("a.txt", long("b")),
  },
  create: {
    before: { "a.txt": "a" },
    after: { "a.txt": "a", "d/e/b.txt": "b" },
    change: (files) => files.write("d/e/b.txt", "b", { parents: true }),
  },
  edit: {
    before: { "a.txt": `${long("a")}1\n` },
    after: { "a.txt": `${long("a")}2\n` },
    change: async (files) => {
      const { version } = await files.load("a.txt");
      return files.write("a.txt", `${long("a")}2\n`, { expect: version });
    },
  },
  change: {
    before: { "a.txt": long("a"), "b.txt": "b", "c.txt": "c" },
    after: { "a.txt": long("x"), "c.txt": "y", "d/new.txt": "new" },
    change: (files) =>
      files.change([
        { path: "a.txt", to: { kind: "file", content: bytesOf(long("x")) } },
        { path: "b.txt", to: { kind: "absent" } },
        { path: "c.txt", to: { kind: "file", content: bytesOf("y") } },
        { path: "d/new.txt", to: { kind: "file", content: bytesOf("new") }, parents: true },
      ]),
  },
  remove: {
    before: { "a.txt": long("a"), "b.txt": "b" },
    after: { "b.txt": "b" },
    change: (files) => files.remove("a.txt"),
  },
  move: {
    before: { "a.txt": long("a"), "d/b.txt": "b" },
    after: { "d/b.txt": "b", "d/c.txt": long("a") },
    change: (files) => files.move("a.txt", "d/c.txt"),
  },
};
