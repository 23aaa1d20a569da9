import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { findBundle, ownProcessCache } from "./bundles.ts";

/**
 * Takes the place of `besideFile` in tests: returns the bundle of a script, if it is current. Brokers and the
 * processes in sandboxes are users of their own, for which Node has compiled nothing yet; from the sources they
 * would take three times as long to start.
 */
export function besideFile(file: string, name: string): string {
  const script = fileURLToPath(new URL(`./${name}${extname(fileURLToPath(file))}`, file));
  return findBundle(script, ownProcessCache(script)) ?? script;
}
