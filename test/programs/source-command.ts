import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findBundle, recordOf, root } from "./bundles.ts";
import { lessCollection } from "./less-collection.ts";
import { makeBundle } from "./make-bundle.ts";

const cache = join(root, "node_modules/.cache/haft-test-programs");
const hooks = fileURLToPath(new URL("./register-sources.mjs", import.meta.url));
const maxBundlingMs = 30_000;

/**
 * Returns the command that runs a script of our sources in a process of its own, without the script's
 * arguments. The script is bundled first: hundreds of modules take most of a short process's time. A
 * bundle is kept until one of its sources changes.
 */
export async function sourceCommand(script: URL): Promise<[string, ...string[]]> {
  const file = fileURLToPath(script);
  const bundle = bundles.get(file) ?? findOrMakeBundle(file);
  bundles.set(file, bundle);
  // A process that the script starts may run from the sources.
  return [process.execPath, ...lessCollection, "--import", hooks, "--no-warnings", await bundle];
}

const bundles = new Map<string, Promise<string>>();

/** Makes a bundle if no other test file is making it: `haft` takes four seconds of processor time. */
async function findOrMakeBundle(file: string): Promise<string> {
  const lock = `${recordOf(file, cache)}.lock`;
  mkdirSync(cache, { recursive: true });
  for (;;) {
    const found = findBundle(file, cache);
    if (found !== undefined) return found;
    if (takeLock(lock)) {
      try {
        return await makeBundle(file, { cache, name: "main", keepsCompiled: true });
      } finally {
        rmSync(lock, { recursive: true, force: true });
      }
    }
    await wait(20);
  }
}

function takeLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  // A process that was killed leaves its lock behind.
  const { mtimeMs = Date.now() } = statSync(lock, { throwIfNoEntry: false }) ?? {};
  if (mtimeMs < Date.now() - maxBundlingMs) rmSync(lock, { recursive: true, force: true });
  return false;
}
