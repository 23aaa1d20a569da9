import { toVisibleJson } from "@haft/core/internal";

/** Formats a name for a message: quoted if it contains unusual characters. */
export function showName(name: string): string {
  return /^[\p{L}\p{M}\p{N}_.-]+$/u.test(name) ? name : toVisibleJson(JSON.stringify(name));
}
