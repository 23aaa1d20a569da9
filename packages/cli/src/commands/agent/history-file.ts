import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readSmallFile } from "@haft/computer/internal";

/** The prompts of a person in a workspace, across runs. */
export interface History {
  /** Newest first. */
  entries(): readonly string[];
  add(text: string): void;
}

const maxEntries = 500;

/** Opens the history of a workspace; only its owner can read the file. */
export function openHistory(stateDirectory: string, workspace: string): History {
  const name = createHash("sha256").update(workspace).digest("hex").slice(0, 16);
  const file = join(stateDirectory, "history", `${name}.jsonl`);
  const entries = read(file);
  if (entries.length > 2 * maxEntries) {
    entries.splice(0, entries.length - maxEntries);
    attempt(() => writeFileSync(file, entries.map(toLine).join(""), { mode: 0o600 }));
  }
  return {
    entries: () => entries.slice(-maxEntries).toReversed(),
    add: (text) => {
      if (text === entries.at(-1)) return;
      entries.push(text);
      attempt(() => {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        appendFileSync(file, toLine(text), { mode: 0o600 });
      });
    },
  };
}

function read(file: string): string[] {
  let content: string;
  try {
    content = readSmallFile(file) ?? "";
  } catch {
    return [];
  }
  return content.split("\n").flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line);
      return typeof entry === "string" ? [entry] : [];
    } catch {
      return [];
    }
  });
}

function toLine(text: string): string {
  return `${JSON.stringify(text)}\n`;
}

// Failing to store history must not fail the prompt.
function attempt(store: () => void): void {
  try {
    store();
  } catch {
    // It stays in memory until the program ends.
  }
}
