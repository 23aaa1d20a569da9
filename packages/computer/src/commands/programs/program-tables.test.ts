import { describe, expect, it } from "vitest";
import { parseEntry } from "./program-entry.ts";
import { findProgram } from "./program-index.ts";
import { programTables } from "./program-tables.ts";
import { wrapperTable } from "./wrapper-table.ts";

const marks = new Set([
  ...["any", "reads0", "script", "inner", "inner*", "assigned", "transport", "dashed", "spelled"],
  ...["doubt", "repository", "out*", "out$", "out1", "out2", "also1", "also2", "also*"],
  ...["awk", "curl", "date", "find", "git-config", "input", "sed", "sqlite", "tar", "test", "yq"],
]);

const wrapperMarks = new Set(["skip1", "assigns", "joined", "code", "other", "extended", "any"]);

const lines = programTables.flatMap((table) => Object.entries(table));

// Every name that a key stands for, with what comes before it.
function namesOf(key: string): readonly string[] {
  const words = key.split(" ");
  const last = words.pop() ?? "";
  return last.split("|").map((name) => [...words, name].join(" "));
}

describe("the program tables", () => {
  it("know more than four hundred programs", () => {
    const names = new Set(lines.flatMap(([key]) => namesOf(key)).map((name) => name.split(" ")[0]));
    expect(names.size).toBeGreaterThan(400);
  });

  it("say one thing about each program", () => {
    const names = lines.flatMap(([key]) => namesOf(key));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it("have a line for each program that has lines for subcommands", () => {
    const parents = lines
      .map(([key]) => key.split(" ").slice(0, -1))
      .filter((path) => path.length > 0);
    const known = new Set(lines.flatMap(([key]) => namesOf(key)));
    const missing = parents.map((path) => path.join(" ")).filter((path) => !known.has(path));
    expect(missing).toEqual([]);
  });

  it.each(lines)("have a line on %s in the notation", (_, line) => {
    const { effects, marks: used } = parseEntry(line);
    expect([...used].filter((mark) => !marks.has(mark))).toEqual([]);
    expect(effects.length + (used.has("doubt") ? 1 : 0)).toBeGreaterThan(0);
    expectOptions(line);
  });

  it.each(Object.entries(wrapperTable))("have a line on the wrapper %s", (_, line) => {
    expect([...parseEntry(line).marks].filter((mark) => !wrapperMarks.has(mark))).toEqual([]);
    expectOptions(line);
  });

  it("find a program by any of its names, and nothing else", () => {
    expect(findProgram("gunzip")?.entry.effects).toEqual(["writes", "deletes"]);
    expect(findProgram("git")?.subcommands?.get("log")?.entry.effects).toEqual(["reads"]);
    expect(findProgram("canary")).toBeUndefined();
    expect(findProgram("constructor")).toBeUndefined();
    expect(findProgram("")).toBeUndefined();
  });
});

// A sign behind several letters would hold for each of them, and hide those behind it in a word.
function expectOptions(line: string): void {
  const isDashed = parseEntry(line).marks.has("dashed");
  const words = line.split("|").slice(1).join(" ").split(/\s+/u);
  const suspect = words.filter((word) => /^-[^-].+[:?](?:dir)?$/u.test(word) && !isDashed);
  expect(suspect).toEqual([]);
  expect(words.filter((word) => word.startsWith("-") && !/^--?[\w#.@]/u.test(word))).toEqual([]);
}
