import { besideFile } from "../broker/beside-file.ts";

/**
 * Prefix of egress socket directories; the process ID and a dash follow. Separate from `egress.ts`,
 * which loads Node's HTTP module.
 */
export const egressPrefix = "haft-egress-";

/** The script that connects a port inside a sandbox to an egress socket: `SCRIPT SOCKET PORT`. */
export function findEgressBridge(): string {
  return besideFile(import.meta.url, "egress-bridge");
}
