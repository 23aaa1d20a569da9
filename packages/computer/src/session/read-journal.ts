import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JournalEntry } from "./journal-entry.ts";

/** Goes through a session's journal. Lines that a crash cut off are passed over. */
export function* readJournal(
  directory: string,
  order: "oldest-first" | "newest-first" = "oldest-first",
): Generator<JournalEntry> {
  const file = join(directory, "journal.jsonl");
  const lines = readText(file).split("\n");
  if (order === "newest-first") lines.reverse();
  for (const line of lines) {
    const entry = parseEntry(line);
    if (entry === undefined) continue;
    if (entry.version !== 1) {
      throw new Error(
        `${file} has entries of version ${entry.version}, and this Haft reads version 1. Use the Haft that wrote it.`,
      );
    }
    yield entry;
  }
}

/** What a file held before a change, by the blob that the journal's entry names. */
export function readJournalBlob(directory: string, blob: string): Uint8Array {
  if (!/^[0-9a-f]{64}$/u.test(blob)) throw new TypeError(`${JSON.stringify(blob)} names no blob.`);
  const file = join(directory, "blobs", blob);
  const content = new Uint8Array(readFileSync(file));
  if (hash("sha256", content) === blob) return content;
  throw new Error(`${file} is damaged: its content does not fit its name. It cannot be undone.`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

function parseEntry(line: string): JournalEntry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as JournalEntry) : undefined;
  } catch {
    return undefined;
  }
}
