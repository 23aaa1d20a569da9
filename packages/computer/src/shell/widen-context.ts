import { isInside } from "@haft/contract/internal";
import type { SandboxContext } from "../sandbox/sandbox-context.ts";

/**
 * Returns a context that also knows these directories. Only root needs that: its sandboxes run as
 * another user, who must be shown in advance what only root can open. For others it is unchanged.
 */
export function widenContext(
  place: SandboxContext,
  {
    readable,
    writable,
  }: { readonly readable: readonly string[]; readonly writable: readonly string[] },
): SandboxContext {
  if (process.getuid?.() !== 0) return place;
  const beside = (paths: readonly string[], known: readonly string[]): readonly string[] =>
    [...new Set(paths)].filter((path) => !known.some((root) => isInside(root, path))).sort();
  const roots = [...place.roots, ...beside(writable, place.roots)];
  const known = place.reads ?? [];
  const reads = [...known, ...beside(readable, [...roots, ...known])];
  if (roots.length === place.roots.length && reads.length === known.length) return place;
  return { ...place, roots, reads };
}
