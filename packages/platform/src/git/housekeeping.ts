import type { Git } from "./git-process.ts";
import { runGit } from "./run-git.ts";
import { sweepIncoming } from "./sweep-incoming.ts";

/** Keeps repositories quick to read however often they are pushed to. */
export interface Housekeeping {
  /** Tidies a repository up if it needs it, without anybody waiting for it. */
  start(path: string): void;
}

const tidyMs = 10 * 60_000;

/** Makes it; one repository is tidied up at most once at a time. Each push leaves a pack. */
export function createHousekeeping(git: Git, mostPacks = 50): Housekeeping {
  const underWay = new Set<string>();
  return {
    start: (path) => {
      if (underWay.has(path)) return;
      underWay.add(path);
      void tidy(git, { path, mostPacks }).finally(() => underWay.delete(path));
    },
  };
}

async function tidy(
  git: Git,
  place: { readonly path: string; readonly mostPacks: number },
): Promise<void> {
  try {
    await sweepIncoming(place.path);
    await runGit(git, [`--git-dir=${place.path}`, "gc", "--auto", "--quiet"], {
      settings: { "gc.auto": "6700", "gc.autoPackLimit": String(place.mostPacks) },
      timeoutMs: tidyMs,
    });
  } catch {
    // Nothing is lost: the next push tries again.
  }
}
