// Proves the amp dialect against the two documents that describe it: each row names the lines of
// the document ("000" the tool system, "001" the core tools) that it holds the dialect to.
import { describe, expect, it } from "vitest";
import { callRows } from "./call-rows.ts";
import { commandRows } from "./command-rows.ts";
import { editRows } from "./edit-rows.ts";
import { openAmp } from "./open-amp.ts";
import { readRows } from "./read-rows.ts";
import type { Row } from "./row.ts";
import { schemas } from "./schemas.ts";
import { searchRows } from "./search-rows.ts";

describe("the schemas of the amp dialect", () => {
  it.each(schemas)("%s %s", (_lines, name, schema) => {
    expect(openAmp().tool(name).input_schema).toEqual(schema);
  });
});

describe.each<[string, readonly Row[]]>([
  ["reading", readRows],
  ["changing files", editRows],
  ["searching", searchRows],
  ["running commands", commandRows],
  ["every call", callRows],
])("the amp dialect, %s", (_, rows) => {
  it.each(rows)("$lines: $says", ({ holds, options }) => holds(openAmp("once", options)));
});

it("names each line once per statement", () => {
  const rows = [...readRows, ...editRows, ...searchRows, ...commandRows, ...callRows];
  const names = rows.map(({ lines, says }) => `${lines}: ${says}`);
  expect(new Set(names).size).toBe(names.length);
  for (const { lines } of rows) expect(lines).toMatch(/^00[01]:\d+(?:[-,]\d+)*$/u);
});
