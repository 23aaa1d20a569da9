// Builds the console's page into the platform's package, with compressed copies of every file. Does
// nothing if no source of it has changed since.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build } from "vite";

const root = dirname(import.meta.dirname);
const source = join(root, "packages/console");
const page = join(root, "packages/platform/dist/page");
const stamp = join(page, "sources.txt");

/** Builds the page if its sources differ from those that it was built from. */
export async function buildConsole() {
  const fingerprint = hashSources();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint) return;
  await build({ configFile: join(source, "vite.config.ts"), logLevel: "warn" });
  const files = readdirSync(page, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|css|html|svg)$/u.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  await Promise.all(files.map(compress));
  writeFileSync(stamp, fingerprint);
}

/** @param {string} file */
async function compress(file) {
  const content = readFileSync(file);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, quality));
  writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
}

function hashSources() {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/node_modules|\.test\.|test-support/u.test(file))
    .sort();
  for (const file of files) hash.update(file.slice(source.length)).update(readFileSync(file));
  // A shared function of it is all that the page takes from another package.
  const shared = join(root, "packages/core/src/hosts/visible-text.ts");
  return hash.update(String(statSync(shared).mtimeMs)).digest("hex");
}

if (process.argv[1] === import.meta.filename) await buildConsole();
