import { extname } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Prefix of egress socket directories; the process ID and a dash follow. Separate from `egress.ts`,
 * which loads Node's HTTP module.
 */
export const egressPrefix = "haft-egress-";

/** The script that connects a port inside a sandbox to an egress socket: `SCRIPT SOCKET PORT`. */
export function findEgressBridge(): string {
  // Next to this file in the sources, the package and the bundle.
  const here = fileURLToPath(import.meta.url);
  return fileURLToPath(new URL(`./egress-bridge${extname(here)}`, import.meta.url));
}
