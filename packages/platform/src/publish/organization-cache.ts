import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { BuildContext } from "./build-context.ts";
import { removeTree } from "./remove-tree.ts";
import { judgeWritten } from "./watch-written.ts";

// A larger cache is not kept for the next build.
const cacheLimits = { maxWrittenBytes: 512 * 1024 ** 2, maxWrittenFiles: 100_000 };

/**
 * Calls a function while the organization's download cache is in the build's own directory. The cache
 * is moved there and back, so that no organization ever reads the downloads of another.
 */
export async function withCache<T>(
  { organization, caches, paths }: BuildContext & { readonly caches: string },
  kind: string,
  work: () => Promise<T>,
): Promise<T> {
  const kept = join(caches, `${organization}-${kind}`);
  await mkdir(paths.cache, { recursive: true });
  const used = join(paths.cache, kind);
  // Another build of the organization may be using the cache. Then this one starts with an empty
  // one.
  await rename(kept, used).catch(() => mkdir(used, { recursive: true }));
  try {
    return await work();
  } finally {
    const isLarge = (await judgeWritten([used], cacheLimits)) !== undefined;
    if (existsSync(kept) || isLarge) await removeTree(used);
    else await rename(used, kept).catch(() => undefined);
  }
}
