import type { FileChange } from "@haft/core";
import type { PinnedEntry } from "./pinned-entry.ts";

/** Journal entries for the directories that were made on the way to an entry. */
export function describeMade({ made }: PinnedEntry, callId: string): FileChange[] {
  return made.map((path) => ({
    callId,
    path,
    before: { kind: "absent" },
    after: { kind: "directory" },
  }));
}
