import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkPackages } from "../scripts/check-packages/check-packages.mjs";

const license = fileURLToPath(new URL("../LICENSE", import.meta.url));
let target: string;

beforeEach(async () => {
  target = await mkdtemp(join(tmpdir(), "haft-check-package-"));
  await put("dist/index.js", "export const one = 1;\n");
  await put("dist/index.d.ts", "export declare const one: number;\n");
  await put("package.json", manifest({}));
});

afterEach(() => rm(target, { recursive: true, force: true }));

describe("the check of a package", () => {
  test("accepts a sound package, and gives it the license", async () => {
    expect(await check()).toEqual([]);
  });

  test("objects to a file that is exported and not there", async () => {
    await rm(join(target, "package/dist/index.js"));
    expect(await check()).toContainEqual(
      expect.stringMatching(/^publint: .*dist\/index\.js.*not exist/),
    );
  });

  test("objects to what publint only warns of", async () => {
    await put("package.json", manifest({ type: "commonjs" }));
    expect(await check()).toContainEqual(expect.stringMatching(/^publint: /));
  });

  test("objects to types that lead nowhere", async () => {
    await put("dist/index.d.ts", `export { one } from "./missing.js";\n`);
    expect(await check()).toContainEqual(expect.stringMatching(/^attw: /));
  });

  test("objects to an import that finds no types", async () => {
    await put("dist/other.js", "export const two = 2;\n");
    const other = { default: "./dist/other.js" };
    await put("package.json", manifest({ exports: { ".": entry, "./other": other } }));
    expect(await check()).toContainEqual(expect.stringMatching(/^attw: /));
  });

  test("objects to tests and build notes in the tarball", async () => {
    await put("dist/index.test.js", "");
    await put("dist/.tsbuildinfo", "{}");
    await put("dist/test-support/helper.js", "");
    expect(await check()).toEqual([
      "dist/.tsbuildinfo is published",
      "dist/index.test.js is published",
      "dist/test-support/helper.js is published",
    ]);
  });
});

const entry = { types: "./dist/index.d.ts", default: "./dist/index.js" };

function manifest(changes: object): string {
  return JSON.stringify({
    name: "small",
    version: "1.0.0",
    license: "Apache-2.0",
    type: "module",
    engines: { node: ">=24" },
    exports: { ".": entry },
    files: ["dist"],
    sideEffects: false,
    ...changes,
  });
}

async function put(path: string, text: string): Promise<void> {
  const file = join(target, "package", path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

async function check(): Promise<string[]> {
  const [problems = []] = await checkPackages([join(target, "package")], { license, target });
  return problems;
}
