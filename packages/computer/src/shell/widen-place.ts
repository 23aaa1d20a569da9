import { isInside } from "../paths/path-parts.ts";
import type { SandboxPlace } from "../sandbox/sandbox-place.ts";

/**
 * A place that knows of these directories too. Only root needs that: its sandboxes are somebody
 * else's, who is shown beforehand what root alone can open. For others it stays as it is.
 */
export function widenPlace(
  place: SandboxPlace,
  {
    readable,
    writable,
  }: { readonly readable: readonly string[]; readonly writable: readonly string[] },
): SandboxPlace {
  if (process.getuid?.() !== 0) return place;
  const beside = (paths: readonly string[], known: readonly string[]): readonly string[] =>
    [...new Set(paths)].filter((path) => !known.some((root) => isInside(root, path))).sort();
  const roots = [...place.roots, ...beside(writable, place.roots)];
  const reads = beside(readable, roots);
  if (roots.length === place.roots.length && reads.length === 0) return place;
  return { ...place, roots, reads };
}
