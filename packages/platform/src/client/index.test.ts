import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("runs in browsers too: the client imports nothing but its own files", () => {
  const folder = new URL(".", import.meta.url);
  const sources = readdirSync(folder).filter((name) => /^[a-z-]+\.ts$/u.test(name));
  expect(sources).toContain("index.ts");
  const imported = sources.flatMap((name) => {
    const text = readFileSync(new URL(name, folder), "utf8");
    return [...text.matchAll(/\b(?:from|import)\s*\(?\s*["']([^"']+)["']/gu)].map(
      ([, from]) => from,
    );
  });
  expect(imported.length).toBeGreaterThan(20);
  expect(imported.filter((from) => !from?.startsWith("./"))).toEqual([]);
});
