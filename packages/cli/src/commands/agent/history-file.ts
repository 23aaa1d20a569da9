import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What a person said in a workspace, from run to run. */
export interface History {
  /** The last first. */
  entries(): readonly string[];
  add(text: string): void;
}

const mostEntries = 500;

/** Opens the history of a workspace; only its owner can read the file. */
export function openHistory(stateDirectory: string, workspace: string): History {
  const name = createHash("sha256").update(workspace).digest("hex").slice(0, 16);
  const file = join(stateDirectory, "history", `${name}.jsonl`);
  const entries = read(file);
  if (entries.length > 2 * mostEntries) {
    entries.splice(0, entries.length - mostEntries);
    attempt(() => writeFileSync(file, entries.map(toLine).join(""), { mode: 0o600 }));
  }
  return {
    entries: () => entries.slice(-mostEntries).toReversed(),
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
    content = readFileSync(file, "utf8");
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

// A prompt is worth more than its place in the history.
function attempt(store: () => void): void {
  try {
    store();
  } catch {
    // It is still there until the program ends.
  }
}
