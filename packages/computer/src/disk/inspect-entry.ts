import { type BigIntStats, readlinkSync } from "node:fs";
import type { FileChange } from "@haft/core";
import { notRegular } from "../paths/path-errors.ts";
import type { DiskCall } from "./disk-call.ts";
import { findLeft } from "./left-behind.ts";
import type { PinnedEntry } from "./pinned-entry.ts";
import { takeSnapshot } from "./snapshot.ts";

/** What a change will remove. */
export interface Inspected {
  /** The state for the journal. */
  readonly before: Pick<FileChange, "before" | "keep" | "follows">;
  /** What must still be there when the change is made. */
  stats(): BigIntStats | undefined;
}

/** Reads what a change will remove, so that the journal can keep it. */
export async function inspectEntry(
  place: PinnedEntry,
  { asked, found }: { readonly asked: string; readonly found: BigIntStats | undefined },
  { scope }: DiskCall,
): Promise<Inspected> {
  const stats = (): BigIntStats | undefined => found;
  if (found === undefined) return { before: { before: { kind: "absent" } }, stats };
  if (found.isDirectory()) {
    const mode = Number(found.mode & 0o7777n);
    return { before: { before: { kind: "directory", mode } }, stats };
  }
  if (found.isSymbolicLink()) {
    const target = readlinkSync(place.directory.at(place.name));
    return { before: { before: { kind: "link", target } }, stats };
  }
  if (!found.isFile()) throw notRegular(asked);
  const file = await takeSnapshot(place, asked);
  const follows = findLeft(scope.journal, place, file.stats);
  // The journal may hard-link the file, which changes its version.
  return { before: { before: file.state, keep: file.keep, follows }, stats: () => file.stats };
}
