import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Journal } from "@haft/core";
import { appendLine } from "./append-line.ts";
import type { JournalEntry } from "./journal-entry.ts";
import type { SessionDirectory } from "./session-directory.ts";
import { writeSmallFile } from "./small-file.ts";
import { storageError } from "./storage-error.ts";

/** Keeps what files held before, on the disk before the change may go ahead. */
export function createDiskJournal(session: SessionDirectory): Journal {
  return {
    record: ({ callId, path, before, after, modeBefore }) => {
      const entry: JournalEntry = {
        version: 1,
        call_id: callId,
        path,
        at: Date.now(),
        before:
          before === undefined ? null : { blob: keep(before, session), mode: modeBefore ?? 0 },
        after: after === undefined ? null : { sha256: hash("sha256", after) },
      };
      session.touch();
      try {
        appendLine(join(session.path, "journal.jsonl"), JSON.stringify(entry), 0o600);
      } catch (error) {
        throw storageError(error, session.path);
      }
    },
  };
}

function keep(content: Uint8Array, session: SessionDirectory): string {
  const name = hash("sha256", content);
  const blob = join(session.make("blobs"), name);
  if (!existsSync(blob)) writeSmallFile(blob, content, session.path);
  return name;
}
