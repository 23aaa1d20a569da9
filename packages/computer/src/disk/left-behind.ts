import { type BigIntStats, statfsSync } from "node:fs";
import { release } from "node:os";
import type { Journal } from "@haft/core";
import { mostInline } from "../session/store-change.ts";
import { versionOf } from "./file-version.ts";
import type { Place } from "./place.ts";

interface Left {
  readonly version: string;
  /** The change that left it. */
  readonly id: string;
}

const byJournal = new WeakMap<Journal, Map<string, Left>>();
const mostRemembered = 256;

/** Remembers what a change left at a place, so that the next one there need not keep it again. */
export function noteLeft(journal: Journal, place: Place, left: Left): void {
  let known = byJournal.get(journal);
  if (known === undefined) {
    known = new Map();
    byJournal.set(journal, known);
  }
  known.delete(place.landing);
  known.set(place.landing, left);
  const [oldest] = known.keys();
  if (known.size > mostRemembered && oldest !== undefined) known.delete(oldest);
}

/** The change that left what is at a place, if it is certain that nothing happened to it since. */
export function findLeft(journal: Journal, place: Place, stats: BigIntStats): string | undefined {
  // What is short is kept anew: to bring it back must not take all changes before it.
  if (stats.size <= mostInline) return undefined;
  const left = byJournal.get(journal)?.get(place.landing);
  if (left === undefined || left.version !== versionOf(stats)) return undefined;
  return tellsEveryChange(place, stats.dev) ? left.id : undefined;
}

const telling = new Map<bigint, boolean>();

// Elsewhere a clock tick is milliseconds long, and what is written twice in one has one version.
function tellsEveryChange({ directory }: Place, device: bigint): boolean {
  let tells = telling.get(device);
  if (tells === undefined) {
    tells = hasFineTimes() && fineFileSystems.has(statfsSync(directory.reach).type);
    telling.set(device, tells);
  }
  return tells;
}

// Since Linux 6.13 a change after a look has a time of its own on ext4, XFS, Btrfs and tmpfs.
function hasFineTimes(): boolean {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return process.platform === "linux" && (major > 6 || (major === 6 && minor >= 13));
}

const fineFileSystems: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994]);
