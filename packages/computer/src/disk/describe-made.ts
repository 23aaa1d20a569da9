import type { FileChange } from "@haft/core";
import type { Place } from "./place.ts";

/** What the journal is told of the directories that were made on the way to a place. */
export function describeMade({ made }: Place, callId: string): FileChange[] {
  return made.map((path) => ({
    callId,
    path,
    before: { kind: "absent" },
    after: { kind: "directory" },
  }));
}
