import { type BigIntStats, statfsSync } from "node:fs";
import { release } from "node:os";
import type { Journal } from "@haft/core";
import { maxInline } from "../session/store-change.ts";
import { versionOf } from "./file-version.ts";
import type { PinnedEntry } from "./pinned-entry.ts";

interface Left {
  readonly version: string;
  /** ID of the change that left it. */
  readonly id: string;
}

const byJournal = new WeakMap<Journal, Map<string, Left>>();
const maxRemembered = 256;

/** Records the state that a change left, so that the next change there need not keep it again. */
export function noteLeft(journal: Journal, place: PinnedEntry, left: Left): void {
  let known = byJournal.get(journal);
  if (known === undefined) {
    known = new Map();
    byJournal.set(journal, known);
  }
  known.delete(place.landing);
  known.set(place.landing, left);
  const [oldest] = known.keys();
  if (known.size > maxRemembered && oldest !== undefined) known.delete(oldest);
}

/** The change that left the current state, if it is certain that nothing has changed since. */
export function findLeft(
  journal: Journal,
  place: PinnedEntry,
  stats: BigIntStats,
): string | undefined {
  // Short content is stored again: restoring it must not depend on all changes before it.
  if (stats.size <= maxInline) return undefined;
  const left = byJournal.get(journal)?.get(place.landing);
  if (left === undefined || left.version !== versionOf(stats)) return undefined;
  return tellsEveryChange(place, stats.dev) ? left.id : undefined;
}

const telling = new Map<bigint, boolean>();

// Elsewhere a clock tick lasts milliseconds, and two writes in one tick have the same version.
function tellsEveryChange({ directory }: PinnedEntry, device: bigint): boolean {
  let tells = telling.get(device);
  if (tells === undefined) {
    tells = hasFineTimes() && fineFileSystems.has(statfsSync(directory.reach).type);
    telling.set(device, tells);
  }
  return tells;
}

// Since Linux 6.13 a change after a stat gets a distinct time on ext4, XFS, Btrfs and tmpfs.
function hasFineTimes(): boolean {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return process.platform === "linux" && (major > 6 || (major === 6 && minor >= 13));
}

const fineFileSystems: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994]);
