import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TextQuery } from "@haft/contract";
import fc from "fast-check";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { randomSteps, type TreeStep, takeStep } from "../../test-support/changing-tree.ts";
import { grepWithRipgrep } from "../../test-support/grep-with-ripgrep.ts";
import { runSource } from "../../test-support/spawn-source.ts";
import { makeTemporaryDirectory } from "../../test-support/temporary-directory.ts";
import {
  createSearchIndexes,
  type SearchIndexes,
  type SearchIndexOptions,
} from "./search-index.ts";

const sources = new URL("../../../../../test/programs/register-sources.mjs", import.meta.url).href;
const options: SearchIndexOptions = { execArgv: ["--import", sources], patienceMs: 20_000 };

const shared = createSearchIndexes(options);
afterAll(() => shared.close());

describe("search indexes", () => {
  it("find what ripgrep finds, after any change to the tree", { timeout: 120_000 }, async () => {
    let answered = 0;
    const compare = async (query: TextQuery): Promise<void> => {
      const found = await shared.find(query);
      if (found === undefined) return;
      answered++;
      expect(found).toEqual({ matches: grepWithRipgrep(query), isCut: false });
    };
    const laterSteps = fc.array(randomSteps, { maxLength: 3 });
    const queries = fc.array(randomQuery, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(randomSteps, laterSteps, queries, async (first, later, all) => {
        const root = makeTree(first);
        expect(await shared.whenReady(root)).toBe(true);
        for (const steps of [[], ...later]) {
          for (const step of steps) takeStep(root, step);
          for (const query of all) await compare({ ...query, path: root });
        }
        rmSync(root, { recursive: true });
      }),
      { numRuns: 40 },
    );
    expect(answered).toBeGreaterThan(40);
  });

  it("find what ripgrep finds in many files, with the help of threads", async () => {
    const indexes = open({ filesForCrew: 1 });
    const root = makeTree([]);
    const place = (index: number): string => join(root, `part ${index % 7}`, `file-${index}.ts`);
    const write = (index: number, text: string): void => writeFileSync(place(index), text);
    for (let part = 0; part < 7; part++) mkdirSync(join(root, `part ${part}`));
    for (let index = 0; index < 900; index++) write(index, `const line = ${index};\n`);
    await indexes.whenReady(root);
    const query: TextQuery = { ...plain, pattern: "NEEDLE", caseSensitive: false, path: root };
    for (let round = 0; round < 20; round++) {
      write(round * 40, `const needle = ${round};\n`);
      write(899 - round * 40, "// no Needle\n");
      rmSync(place(500 + round), { force: true });
      if (round % 5 === 0) renameSync(join(root, "part 6"), join(root, `part 7${round}`));
      if (round % 5 === 0) mkdirSync(join(root, "part 6"));
      const expected = grepWithRipgrep(query);
      expect(expected.length).toBeGreaterThan(round);
      expect(await indexes.find(query)).toEqual({ matches: expected, isCut: false });
    }
  });

  it("see a rewrite of the same size at once", async () => {
    const root = makeTree([]);
    const path = join(root, "a.ts");
    writeFileSync(path, "one\n");
    await shared.whenReady(root);
    for (let round = 0; round < 20; round++) {
      const word = round % 2 === 0 ? "two" : "one";
      writeFileSync(path, `${word}\n`);
      expect(await paths(shared, { ...plain, pattern: word, path: root })).toEqual([path]);
    }
  });

  it("see a rewrite that keeps size and times, if they are told", async () => {
    const root = makeTree([]);
    const path = join(root, "a.ts");
    const longAgo = new Date("2020-01-01");
    writeFileSync(path, "one\n");
    utimesSync(path, longAgo, longAgo);
    await shared.whenReady(root);
    writeFileSync(path, "two\n");
    utimesSync(path, longAgo, longAgo);
    shared.noteChange(path);
    expect(await paths(shared, { ...plain, pattern: "two", path: root })).toEqual([path]);
  });

  it("look into one file, one directory, or what fits a glob", async () => {
    const root = makeTree([]);
    for (const name of ["src/a.ts", "src/b.js", "test/a.ts", "dist/a.ts", ".hidden/a.ts"]) {
      mkdirSync(join(root, name, ".."), { recursive: true });
      writeFileSync(join(root, name), "needle\n");
    }
    writeFileSync(join(root, ".gitignore"), "dist\n");
    await shared.whenReady(root);
    const find = async (path: string, glob?: string): Promise<readonly string[] | undefined> => {
      const query = { ...plain, path: join(root, path), ...(glob && { glob }) };
      return (await paths(shared, query))?.map((found) => found.slice(root.length + 1));
    };
    expect(await find("")).toEqual(["src/a.ts", "src/b.js", "test/a.ts"]);
    expect(await find("src")).toEqual(["src/a.ts", "src/b.js"]);
    expect(await find("src/b.js")).toEqual(["src/b.js"]);
    expect(await find("dist")).toEqual(["dist/a.ts"]);
    expect(await find("dist/a.ts")).toEqual(["dist/a.ts"]);
    expect(await find("", "*.ts")).toEqual(["src/a.ts", "test/a.ts"]);
    expect(await find("", "src/**")).toEqual(["src/a.ts", "src/b.js"]);
    expect(await find("", "!*.ts")).toEqual(["src/b.js"]);
    expect(await find("", ".hidden/**")).toBeUndefined();
    expect(await find("none")).toBeUndefined();
  });

  it("keep to the limits", async () => {
    const root = makeTree([]);
    for (const name of ["a", "b", "c"]) writeFileSync(join(root, name), "x\nfoo\nfoo\ny\nfoo\n");
    await shared.whenReady(root);
    const find = (query: Partial<TextQuery>) =>
      shared.find({ ...plain, pattern: "foo", path: root, ...query });
    expect(await find({ limit: 9 })).toMatchObject({ isCut: false, matches: { length: 9 } });
    expect(await find({ limit: 8 })).toMatchObject({ isCut: true, matches: { length: 8 } });
    expect(await find({ limitPerFile: 1 })).toMatchObject({ isCut: false, matches: { length: 3 } });
    const cut = await find({ limit: 1, context: 1 });
    expect(cut?.isCut).toBe(true);
    expect(cut?.matches.map(({ line, context = false }) => [line, context])).toEqual([
      [1, true],
      [2, false],
    ]);
    const perFile = await find({ limitPerFile: 1, context: 2, path: join(root, "a") });
    expect(perFile?.matches.map(({ line, context = false }) => [line, context])).toEqual([
      [1, true],
      [2, false],
      [3, true],
      [4, true],
    ]);
  });

  it("show nothing from where a link leads", async () => {
    const root = makeTree([]);
    const outside = makeTree([]);
    writeFileSync(join(outside, "a.ts"), "needle\n");
    mkdirSync(join(root, "src"));
    writeFileSync(join(root, "src/a.ts"), "needle\n");
    await shared.whenReady(root);
    renameSync(join(root, "src"), join(root, ".src"));
    symlinkSync(outside, join(root, "src"));
    symlinkSync(join(outside, "a.ts"), join(root, "b.ts"));
    expect(await paths(shared, { ...plain, path: root })).toEqual([]);
  });

  it("leave to ripgrep what they can't know", async () => {
    const root = makeTree([]);
    expect(shared.find({ ...plain, path: root })).toBeUndefined();
    await shared.whenReady(root);
    for (const pattern of ["(", "x(a+)+$", "\\Aneedle", "(?x)a b"]) {
      expect(await shared.find({ ...plain, literal: false, pattern, path: root })).toBeUndefined();
    }
    writeFileSync(join(root, "a.ts"), `${"a".repeat(100_000)}\n`);
    const wandering = { ...plain, literal: false, pattern: "a.*b.*c", path: root };
    expect(await shared.find(wandering)).toBeUndefined();
  });

  it("are not made of too many files", async () => {
    const indexes = open({ maxFiles: 2 });
    const root = makeTree([]);
    for (const name of ["a", "b", "c"]) writeFileSync(join(root, name), "");
    expect(await indexes.whenReady(root)).toBe(false);
    expect(indexes.find({ ...plain, path: root })).toBeUndefined();
  });

  it("come on their own after the first use", async () => {
    const indexes = open({ delayMs: 1 });
    const root = makeTree([]);
    indexes.noteUse(root);
    await expect
      .poll(() => indexes.find({ ...plain, path: root }), { timeout: 15_000 })
      .toEqual({
        matches: [],
        isCut: false,
      });
  });

  it.each(["itself", "killed"])("keep no process alive, and end with it: %s", async (ending) => {
    const root = makeTree([]);
    writeFileSync(join(root, "a.ts"), "needle\n");
    const told = (await runSource("use-index.ts", [root, ending])) as {
      lines: number;
      child: number;
    };
    expect(told.lines).toBe(1);
    await expect.poll(() => isRunning(told.child), { timeout: 10_000 }).toBe(false);
  });

  it("give way to ripgrep if their process dies, and start another", async () => {
    const indexes = open({ delayMs: 0 });
    const root = makeTree([]);
    writeFileSync(join(root, "a.ts"), "needle\n");
    await indexes.whenReady(root);
    const measure = await indexes.measure(root);
    const pending = indexes.find({ ...plain, path: root });
    process.kill(measure?.processId ?? 0, "SIGKILL");
    await pending;
    await expect.poll(() => indexes.find({ ...plain, path: root })).toBeUndefined();
    const findAgain = (): unknown => {
      indexes.noteUse(root);
      return paths(indexes, { ...plain, path: root });
    };
    await expect.poll(findAgain, { timeout: 15_000 }).toEqual([join(root, "a.ts")]);
  });

  it("wait for no process that is stuck, and end it at last", async () => {
    const indexes = open({ patienceMs: 100 });
    const root = makeTree([]);
    await indexes.whenReady(root);
    const { processId = 0 } = (await indexes.measure(root)) ?? {};
    process.kill(processId, "SIGSTOP");
    expect(await indexes.find({ ...plain, path: root })).toBeUndefined();
    expect(indexes.find({ ...plain, path: root })).toBeUndefined();
    await expect.poll(() => isRunning(processId), { timeout: 15_000 }).toBe(false);
  });

  it("give way to ripgrep while they are gone, and come back", async () => {
    const indexes = open({});
    const root = makeTree([]);
    writeFileSync(join(root, "a.ts"), "needle\n");
    await indexes.whenReady(root);
    const pending = indexes.find({ ...plain, path: root });
    indexes.close();
    expect(await pending).toBeUndefined();
    expect(indexes.find({ ...plain, path: root })).toBeUndefined();
    expect(await indexes.whenReady(root)).toBe(true);
    expect(await paths(indexes, { ...plain, path: root })).toEqual([join(root, "a.ts")]);
  });
});

const plain: TextQuery = {
  pattern: "needle",
  literal: true,
  caseSensitive: true,
  path: "/",
  limit: 1000,
  lineLength: 200,
};

const randomQuery: fc.Arbitrary<TextQuery> = fc
  .record({
    sought: fc.constantFrom(
      ...[
        "foo",
        "FOO",
        "fo+b",
        "^\\s*$",
        "bar|baz",
        "\\bfoo\\b",
        "sky",
        "KELVIN",
        "k",
        "漢",
        "é",
        "o.b",
        "x{200}",
        "",
      ],
      ...["line$", "foo$", "[^a-z]foo", "\\w+\\(", "naïve", "^foo", "(?i)BAZ"],
    ),
    literal: fc.boolean(),
    caseSensitive: fc.boolean(),
    context: fc.constantFrom(0, 0, 1, 2),
    lineLength: fc.constantFrom(10, 200),
  })
  .map(({ sought, ...query }) => ({ ...query, pattern: sought, path: "/", limit: 100_000 }));

function makeTree(steps: readonly TreeStep[]): string {
  const root = makeTemporaryDirectory();
  mkdirSync(join(root, ".git"));
  for (const step of steps) takeStep(root, step);
  return root;
}

async function paths(
  indexes: SearchIndexes,
  query: TextQuery,
): Promise<readonly string[] | undefined> {
  return (await indexes.find(query))?.matches.map(({ path }) => path);
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

function open(own: SearchIndexOptions): SearchIndexes {
  const indexes = createSearchIndexes({ ...options, ...own });
  onTestFinished(() => indexes.close());
  return indexes;
}
