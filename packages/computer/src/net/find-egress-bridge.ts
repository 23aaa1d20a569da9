import { extname } from "node:path";
import { fileURLToPath } from "node:url";

/** The script that leads from a port inside a sandbox to an egress's socket: `SCRIPT SOCKET PORT`. */
export function findEgressBridge(): string {
  // Beside this file, among the sources, in the package and in the bundle alike.
  const here = fileURLToPath(import.meta.url);
  return fileURLToPath(new URL(`./egress-bridge${extname(here)}`, import.meta.url));
}
