import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "@haft/contract";
import { isSystemError } from "../disk/system-error.ts";
import type { BeginLine, JournalLine, StoredChange } from "./journal-line.ts";

/** Changes that were recorded together, and whether they took effect, if known. */
export interface ReadRecording extends BeginLine {
  readonly end: "done" | "dropped" | undefined;
}

/** Reads a session's journal, oldest first. Lines that a crash cut off are skipped. */
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
  return begun.map((line) => {
    const { changes_in: list } = line;
    if (list === undefined) return { ...line, end: ends.get(line.id) };
    let changes: readonly StoredChange[] | undefined;
    return {
      ...line,
      end: ends.get(line.id),
      get changes() {
        changes ??= readList(directory, list);
        return changes;
      },
    };
  });
}

// A list that was dropped to make room takes its changes with it.
function readList(directory: string, name: string): readonly StoredChange[] {
  try {
    return JSON.parse(readFileSync(join(directory, "blobs", name), "utf8")) as StoredChange[];
  } catch {
    return [];
  }
}

/** Whether changes of a line are made in several steps, so that a crash may leave some of them. */
export function isSeveral(changes: readonly StoredChange[]): boolean {
  const [first] = changes;
  if (changes.length !== 1 || first === undefined) return changes.length > 1;
  const { before, after } = first;
  // A directory that takes the place of a file, for example: the file goes first.
  return (
    before.kind !== "absent" &&
    after.kind !== "absent" &&
    before.kind !== after.kind &&
    "print" in after
  );
}

/** The ID of a change: its line and its index there. */
export function idOfChange(line: string, index: number): string {
  return `${line}.${index}`;
}

/** Finds the change with an ID. */
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
    `${file} has entries of version ${version}; this version of Haft reads version 2. Use the version of Haft that wrote it, or remove the file.`,
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
