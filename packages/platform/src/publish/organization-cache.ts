import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { BuildContext } from "./build-context.ts";
import { removeTree } from "./remove-tree.ts";

/**
 * Does something while the downloads of an organization are in the build's own directory. They are
 * moved there and back: what one organization downloads, no other ever reads.
 */
export async function withCache<T>(
  { organization, caches, places }: BuildContext & { readonly caches: string },
  kind: string,
  work: () => Promise<T>,
): Promise<T> {
  const kept = join(caches, `${organization}-${kind}`);
  await mkdir(places.cache, { recursive: true });
  const used = join(places.cache, kind);
  // Another build of the organization may have them: then this one starts with none.
  await rename(kept, used).catch(() => mkdir(used, { recursive: true }));
  try {
    return await work();
  } finally {
    if (existsSync(kept)) removeTree(used);
    else await rename(used, kept).catch(() => undefined);
  }
}
