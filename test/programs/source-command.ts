import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findBundle, root } from "./bundles.ts";
import { lessCollection } from "./less-collection.ts";
import { makeBundle } from "./make-bundle.ts";

const cache = join(root, "node_modules/.cache/haft-test-programs");
const hooks = fileURLToPath(new URL("./register-sources.mjs", import.meta.url));

/**
 * Returns the command that runs a script of our sources in a process of its own, without the script's
 * arguments. The script is bundled first: hundreds of modules take most of a short process's time. A
 * bundle is kept until one of its sources changes.
 */
export async function sourceCommand(script: URL): Promise<[string, ...string[]]> {
  const file = fileURLToPath(script);
  let bundle = bundles.get(file);
  if (bundle === undefined) {
    bundle = Promise.resolve(
      findBundle(file, cache) ?? makeBundle(file, { cache, name: "main", keepsCompiled: true }),
    );
    bundles.set(file, bundle);
  }
  // A process that the script starts may run from the sources.
  return [process.execPath, ...lessCollection, "--import", hooks, "--no-warnings", await bundle];
}

const bundles = new Map<string, Promise<string>>();
