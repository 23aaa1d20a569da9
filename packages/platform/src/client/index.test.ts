import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const folder = new URL(".", import.meta.url);
const sources = readdirSync(folder).filter((name) => /^[a-z-]+\.ts$/u.test(name));

it("runs in browsers too: it imports nothing but its own files", () => {
  expect(sources).toContain("index.ts");
  expect(sources.flatMap((name) => importsOf(sourceOf(name))).length).toBeGreaterThan(20);
  const foreign = sources.flatMap((name) => foreignImportsOf(withoutTypes(sourceOf(name))));
  expect(foreign).toEqual([]);
});

it("takes types from the API's schemas, in one file, and from no package", () => {
  const importing = sources.filter((name) => foreignImportsOf(sourceOf(name)).length > 0);
  expect(importing).toEqual(["wire-types.ts"]);
  const foreign = foreignImportsOf(sourceOf("wire-types.ts"));
  expect(foreign.filter((from) => !/^\.\.\/[a-z-]+\/[a-z-]+\.ts$/u.test(from))).toEqual([]);
});

/** The text of a source file without the examples in its comments. */
function sourceOf(name: string): string {
  return readFileSync(new URL(name, folder), "utf8").replaceAll(/^\s+\*.*$/gmu, "");
}

/** Removes type-only imports and exports, which are erased when the file is compiled. */
function withoutTypes(text: string): string {
  return text.replaceAll(/^(?:import|export) type [^;]*;$/gmu, "");
}

function importsOf(text: string): string[] {
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*["']([^"']+)["']/gu)].map(
    ([, from]) => from ?? "",
  );
}

function foreignImportsOf(text: string): string[] {
  return importsOf(text).filter((from) => !from.startsWith("./"));
}
