// Packs every package that is published and checks the tarballs: publint, attw, the license, no
// test files. `--out <folder>` keeps the tarballs, so that what is published is what was checked.

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { checkPackages } from "./check-packages/check-packages.mjs";
import { readManifests } from "./lib/manifests.mjs";

const root = dirname(import.meta.dirname);
const { values } = parseArgs({ options: { out: { type: "string" } } });
const target = values.out
  ? resolve(values.out)
  : await mkdtemp(join(tmpdir(), "haft-check-packages-"));
await mkdir(target, { recursive: true });

const published = Object.entries(readManifests(root))
  .filter(([, manifest]) => manifest.private !== true)
  .map(([folder]) => folder);

const problems = await checkPackages(
  published.map((folder) => join(root, folder)),
  { license: join(root, "LICENSE"), target },
);

for (const [index, folder] of published.entries()) {
  const own = problems[index] ?? [];
  console.log(`${folder}: ${own.length === 0 ? "ok" : ""}`);
  for (const problem of own) console.log(`  ${problem}`);
}
if (problems.flat().length > 0) process.exitCode = 1;

await rm(values.out ? join(target, "staged") : target, { recursive: true, force: true });
