import { chmodSync, linkSync, rmSync } from "node:fs";
import { ToolError } from "@haft/contract";
import { isSystemError } from "../disk/system-error.ts";
import { isProtectedPath } from "../paths/protected-path.ts";
import type { Move } from "./move.ts";
import { copyEntry, moveEntry } from "./move-entry.ts";
import { findEntry } from "./print-of.ts";

/** A move that is made by itself. */
export interface MadeMove {
  readonly change: Move;
  readonly target: string;
  readonly from: string | undefined;
  /** Where what is there is kept; absent if there is no journal. */
  readonly kept: string | undefined;
}

/** Makes a move. */
export function takeMove({ change, target, from = "", kept }: MadeMove): void {
  const { path, kind, after } = change;
  switch (kind) {
    case "deleted":
      if (kept !== undefined) moveEntry(target, kept);
      else rmSync(target, { recursive: true });
      return;
    case "mode":
      chmodSync(target, Number((after?.stats.mode ?? 0n) & 0o7777n));
      return;
    case "created":
      if (findEntry(target) !== undefined) {
        throw new ToolError(
          "conflict",
          `${path} appeared meanwhile. Nothing was changed; try again.`,
        );
      }
      moveEntry(from, target);
      return;
    case "modified":
      if (kept !== undefined) keepFile(target, kept, change);
      moveEntry(from, target);
  }
}

// Through another name, what takes effect at a protected path could be changed in the journal.
function keepFile(target: string, kept: string, { path, before }: Move): void {
  const isShared = before !== undefined && before.nlink > 1n && isProtectedPath(path);
  if (!isShared && tryLink(target, kept)) return;
  copyEntry(target, kept);
}

/** Gives a file a second name; `false` if that is not possible. */
export function tryLink(path: string, name: string): boolean {
  try {
    linkSync(path, name);
    return true;
  } catch (error) {
    // On another file system, for example.
    if (isSystemError(error) && error.code !== "ENOSPC") return false;
    throw error;
  }
}

/** Takes a move back that was made, or begun. `false` if that failed. */
export function takeBack({ change, target, from, kept }: MadeMove): boolean {
  const { kind, before } = change;
  try {
    const now = findEntry(target);
    const keptNow = kept === undefined ? undefined : findEntry(kept);
    switch (kind) {
      case "mode":
        chmodSync(target, Number((before?.mode ?? 0n) & 0o7777n));
        break;
      case "created":
        if (now !== undefined && findEntry(from ?? "") === undefined) moveEntry(target, from ?? "");
        break;
      case "deleted":
        if (now === undefined && kept !== undefined && keptNow !== undefined)
          moveEntry(kept, target);
        break;
      case "modified":
        if (kept === undefined || keptNow === undefined) break;
        if (now?.ino === before?.ino) rmSync(kept);
        else {
          if (findEntry(from ?? "") === undefined) tryLink(target, from ?? "");
          moveEntry(kept, target);
        }
    }
    return true;
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}
