import { lstatSync, rmSync } from "node:fs";
import { toErrorMessage } from "@haft/contract/internal";
import type { FindOptions } from "./guard.ts";
import type { GuardedPath } from "./guarded-path.ts";
import { judgeMade, type RunLocation } from "./judge-made.ts";

/** What a run is settled with. */
export interface Settlement extends RunLocation {
  /** What was guarded while it ran. */
  readonly before: readonly GuardedPath[];
  /** Finds what must be guarded now. */
  find(options: FindOptions): Promise<readonly GuardedPath[]>;
}

// Every round cleans what the paths of the previous one lead to.
const maxRounds = 16;

/**
 * Removes what a command made and may not leave behind: rules and settings, and what makes git, a
 * shell or an editor run programs. What existed before was guarded while it ran. What it creates can't
 * be guarded, so until it ends and this is called another git or shell may meet it. Directories that
 * it made unlistable are opened first, so that nothing stays hidden. Its own pointers are followed only
 * after they were checked: otherwise a command could have any directory removed. Returns a sentence
 * for everything it did.
 */
export async function settleRun(settlement: Settlement): Promise<readonly string[]> {
  const known = new KnownPaths(settlement.before);
  const judged = new Set<string>();
  const isJudged = (place: GuardedPath): boolean => known.has(place) || judged.has(place.path);
  const notes: string[] = [];
  for (let round = 0; round < maxRounds; round++) {
    const found = await settlement.find({
      mayOpen: (closed) => !known.has(closed),
      mayFollow: isJudged,
    });
    const made = found.filter((place) => !isJudged(place));
    for (const place of made) {
      judged.add(place.path);
      notes.push(...settle(place, settlement, known));
    }
    if (!made.some(canLead)) return notes;
  }
  notes.push("Git pointers that the command made are too deeply nested; some were not followed.");
  return notes;
}

function settle(place: GuardedPath, settled: RunLocation, known: KnownPaths): readonly string[] {
  try {
    // It may have gone with a directory that was removed.
    if (lstatSync(place.path, { throwIfNoEntry: false }) === undefined) return [];
    if (known.hasPath(place) && isMountPoint(place.path)) {
      rmSync(place.path, { force: true });
      return [];
    }
    return judgeMade(place, settled);
  } catch (error) {
    const reason = toErrorMessage(error);
    return [`${place.path} should not have been created and can't be removed: ${reason}.`];
  }
}

// The path to cover was gone when the sandbox was made, so bubblewrap created this one.
function isMountPoint(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size === 0 && (stats.mode & 0o777) === 0o444;
}

function canLead({ kind }: GuardedPath): boolean {
  return kind === "protected" || kind === "watched" || kind === "fixed";
}

/** The earlier paths, to tell apart those that a command made. */
class KnownPaths {
  readonly #known: ReadonlySet<string>;
  readonly #paths: ReadonlySet<string>;

  constructor(places: readonly GuardedPath[]) {
    this.#known = new Set(places.map(summarize));
    this.#paths = new Set(places.map(({ path }) => path));
  }

  /** Includes what a moved directory took with it. */
  has(place: GuardedPath): boolean {
    return this.#known.has(summarize(place));
  }

  hasPath({ path }: GuardedPath): boolean {
    return this.#paths.has(path);
  }
}

// The same file under another name counts as new: a moved link may lead elsewhere.
function summarize({ kind, path, identity }: GuardedPath): string {
  return `${kind} ${identity} ${path.slice(path.lastIndexOf("/"))}`;
}
