import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const packages = fileURLToPath(new URL("../packages", import.meta.url));

describe("the exports of the packages", () => {
  it("change on purpose only", async () => {
    const blocks = readdirSync(packages).flatMap(listEntries);
    await expect(`${blocks.join("\n\n")}\n`).toMatchFileSnapshot("exports.txt");
  });

  it("have at most 90 public values", () => {
    const values = readdirSync(packages)
      .flatMap(listEntries)
      .filter((block) => !block.split("\n")[0]?.includes("/internal"))
      .flatMap((block) => block.split("\n").slice(1));
    expect(values.length).toBeLessThanOrEqual(90);
  });
});

/** Lists the entry points of a package, each as its name and the values it exports, a line each. */
function listEntries(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(packages, folder, "package.json"), "utf8"));
  const targets = Object.entries<{ default?: string }>(manifest.exports ?? {});
  return targets.flatMap(([path, target]) => {
    if (!target.default?.startsWith("./dist/")) return [];
    const source = target.default.replace("./dist/", "src/").replace(/\.js$/u, ".ts");
    const text = readFileSync(join(packages, folder, source), "utf8");
    return [[`${manifest.name}${path.slice(1)}`, ...listValues(text)].join("\n")];
  });
}

// An entry point has nothing but re-exports by name.
function listValues(text: string): string[] {
  const rest = text.replaceAll(/^(?:export (?:type )?\{[^}]*\} from "[^"]+";|\/\/.*)$/gmu, "");
  expect(rest.trim()).toBe("");
  return [...text.matchAll(/^export \{([^}]*)\} from/gmu)]
    .flatMap(([, names = ""]) => names.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "))
    .map((name) => name.split(" as ").at(-1) ?? name)
    .sort();
}
