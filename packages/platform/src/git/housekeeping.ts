import type { Git } from "./git-process.ts";
import { runGit } from "./run-git.ts";
import { sweepIncoming } from "./sweep-incoming.ts";

/** Repacks repositories, so that they stay fast after many pushes. */
export interface Housekeeping {
  /** Repacks a repository in the background if it needs it. */
  start(path: string): void;
}

const tidyMs = 10 * 60_000;

/**
 * Creates the housekeeping. Each push leaves a pack. A repository is repacked at most once at a
 * time.
 */
export function createHousekeeping(git: Git, maxPacks = 50): Housekeeping {
  const underWay = new Set<string>();
  return {
    start: (path) => {
      if (underWay.has(path)) return;
      underWay.add(path);
      void tidy(git, { path, maxPacks }).finally(() => underWay.delete(path));
    },
  };
}

async function tidy(
  git: Git,
  options: { readonly path: string; readonly maxPacks: number },
): Promise<void> {
  try {
    await sweepIncoming(options.path);
    await runGit(git, [`--git-dir=${options.path}`, "gc", "--auto", "--quiet"], {
      settings: { "gc.auto": "6700", "gc.autoPackLimit": String(options.maxPacks) },
      timeoutMs: tidyMs,
    });
  } catch {
    // Failures are ignored: the next push tries again.
  }
}
