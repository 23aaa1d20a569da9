import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "@haft/contract";
import { isSystemError } from "../disk/system-error.ts";
import type { BeginLine, JournalLine, StoredChange } from "./journal-line.ts";

/** Changes that were told together, and what became of them if it was noted. */
export interface ReadRecording extends BeginLine {
  readonly end: "done" | "dropped" | undefined;
}

/** Reads a session's journal, oldest first. Lines that a crash cut off are passed over. */
export function readJournal(directory: string): ReadRecording[] {
  const file = join(directory, "journal.jsonl");
  const ends = new Map<string, "done" | "dropped">();
  const begun: BeginLine[] = [];
  for (const text of readText(file).split("\n")) {
    const line = parseLine(text);
    if (line === undefined) continue;
    if (line.version !== 2) throw otherVersion(file, line.version);
    if ("end" in line) ends.set(line.end, line.as);
    else begun.push(line);
  }
  return begun.map((line) => ({ ...line, end: ends.get(line.id) }));
}

/** What names a change: the line it stands in, and its number there. */
export function idOfChange(line: string, index: number): string {
  return `${line}.${index}`;
}

/** The change that an id names. */
export function findChange(
  recordings: readonly ReadRecording[],
  id: string,
): StoredChange | undefined {
  const dot = id.lastIndexOf(".");
  const line = id.slice(0, dot);
  return recordings.find((recording) => recording.id === line)?.changes[Number(id.slice(dot + 1))];
}

function otherVersion(file: string, version: unknown): ToolError {
  return new ToolError(
    "failed",
    `${file} has entries of version ${version}, and this Haft reads version 2. Use the Haft that wrote it, or remove the file.`,
    { absolutePath: file },
  );
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (isSystemError(error) && error.code === "ENOENT") return "";
    throw error;
  }
}

function parseLine(text: string): JournalLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "version" in value
      ? (value as JournalLine)
      : undefined;
  } catch {
    return undefined;
  }
}
