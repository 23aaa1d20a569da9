import { type BigIntStats, chmodSync, linkSync, mkdirSync, rmdirSync, unlinkSync } from "node:fs";
import { ToolError } from "@haft/contract";
import type { Pinning } from "../disk/pin.ts";
import { reachPath } from "../disk/reach-path.ts";
import { isSystemError } from "../disk/system-error.ts";
import { parentOf } from "../paths/path-parts.ts";
import { moveEntry } from "./move-entry.ts";
import { findEntry, printOf } from "./print-of.ts";

/** A move that a process was making when it died. */
export interface InterruptedMove {
  readonly path: string;
  readonly before: MovedState | undefined;
  readonly after: MovedState | undefined;
  /** Where what was there is kept, if it was moved away. */
  readonly kept: string | undefined;
  /** Where what came came from, if that must not be lost. */
  readonly origin: string | undefined;
}

/** What identifies an entry, and its permissions. */
export interface MovedState {
  readonly print: string;
  readonly mode: number | undefined;
}

/** Takes back what was made of some moves, outer ones first. Returns the paths where that failed. */
export function recoverMoves(moves: readonly InterruptedMove[], pinning: Pinning): string[] {
  const failed = new Set<string>();
  const attempt = (move: InterruptedMove, act: Act): void => {
    try {
      const isDone = reachPath(move.path, pinning, ({ directory, name }) => {
        const target = directory.at(name);
        return act(move, target, findEntry(target));
      });
      if (isDone === false) failed.add(move.path);
    } catch (error) {
      if (!isSystemError(error) && !ToolError.isInstance(error)) throw error;
      failed.add(move.path);
    }
  };
  // What goes back as a whole does so before the parts of it; what is removed, after them.
  for (const move of moves) if (move.origin !== undefined) attempt(move, removeNew);
  for (const move of moves.toReversed()) if (move.origin === undefined) attempt(move, removeNew);
  for (const move of moves) attempt(move, restoreOld);
  return [...failed];
}

type Act = (move: InterruptedMove, target: string, now: BigIntStats | undefined) => boolean;

const removeNew: Act = ({ before, after, kept, origin }, target, now) => {
  const isNew = now !== undefined && after !== undefined && printOf(now) === after.print;
  // Where only permissions changed, nothing is new.
  if (!isNew || (before !== undefined && before.print === after.print)) return true;
  // What a rename over it restores need not be removed first.
  const isReplaced = !now.isDirectory() && isFile(kept);
  if (origin !== undefined && findEntry(origin) === undefined) {
    mkdirSync(parentOf(origin), { recursive: true, mode: 0o700 });
    if (isReplaced) linkSync(target, origin);
    else moveEntry(target, origin);
    return true;
  }
  if (!now.isDirectory()) {
    if (!isReplaced) unlinkSync(target);
    return true;
  }
  try {
    rmdirSync(target);
  } catch (error) {
    // Others have put something there by now.
    if (!isSystemError(error) || error.code !== "ENOTEMPTY") throw error;
  }
  return true;
};

function isFile(kept: string | undefined): boolean {
  const found = kept === undefined ? undefined : findEntry(kept);
  return found !== undefined && !found.isDirectory();
}

const restoreOld: Act = ({ before, after, kept }, target, now) => {
  if (before === undefined) return true;
  const isOld = now !== undefined && printOf(now) === before.print;
  if (isOld) {
    if (before.mode !== undefined && Number(now.mode & 0o7777n) === after?.mode) {
      chmodSync(target, before.mode);
    }
    // A second name of it that was to keep it.
    if (kept !== undefined && now.isFile() && findEntry(kept)?.ino === now.ino) unlinkSync(kept);
    return true;
  }
  if (kept === undefined || findEntry(kept) === undefined) return false;
  if (now !== undefined && (after === undefined || printOf(now) !== after.print)) return false;
  moveEntry(kept, target);
  return true;
};
