import type { PastCall } from "@haft/contract";
import { clipText } from "@haft/contract/internal";
import { toVisibleLine } from "@haft/core/internal";
import type { StoredEntry, ThreadEntry } from "./thread.ts";

/** The session that a rewind works on. */
export interface RewindContext {
  /** The conversation. */
  entries(): Iterable<StoredEntry>;
  /** The calls that changed files, newest first. */
  calls(): Promise<readonly PastCall[]>;
  /** Undoes a call and all later ones; `false` if that failed. */
  undo(call: string): Promise<boolean>;
  /** Makes a session whose conversation ends with an entry, and returns its name. */
  fork(upTo: number): string;
  say(line: string): void;
}

const maxLineLength = 120;
const usage = "/rewind NUMBER files, /rewind NUMBER conversation or /rewind NUMBER both";

/** A prompt of the conversation. */
interface PastTurn {
  /** The entry of the prompt. */
  readonly at: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly text: string;
}

/**
 * Goes back to the state before a turn: of the files, of the conversation, or of both. Without a turn it
 * lists them. Returns the session with the earlier conversation, if there is one now.
 *
 * @param words What follows `/rewind`.
 */
export async function rewind(words: string, context: RewindContext): Promise<string | undefined> {
  const { say } = context;
  const turns = listTurns(context.entries());
  if (turns.length === 0) {
    say("There is nothing to rewind: this session has no turns yet.");
    return undefined;
  }
  const [number = "", what = ""] = words.split(/\s+/u);
  const turn = turns[Number(number) - 1];
  if (turn === undefined || !["files", "conversation", "both"].includes(what)) {
    for (const [index, { time, text }] of turns.entries()) {
      const at = new Date(time).toISOString().slice(11, 16);
      say(`  ${index + 1}  ${clipText(toVisibleLine(`${at} ${text}`), maxLineLength)}`);
    }
    say(`To go back to before a turn: ${usage}.`);
    return undefined;
  }
  if (what !== "conversation" && !(await rewindFiles(turn, context))) return undefined;
  return what === "files" ? undefined : context.fork(turn.at - 1);
}

function listTurns(entries: Iterable<StoredEntry>): readonly PastTurn[] {
  return [...entries].flatMap(({ at, time, entry }) =>
    entry.kind === "user" ? [{ at, time, text: toText(entry) }] : [],
  );
}

function toText({ content }: ThreadEntry & { kind: "user" }): string {
  const texts = content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`));
  return texts.join(" ").replaceAll(/\s+/gu, " ");
}

/** Undoes what calls changed since a turn began; `false` if that failed. */
async function rewindFiles(
  { time }: PastTurn,
  { calls, undo, say }: RewindContext,
): Promise<boolean> {
  const oldest = (await calls()).findLast(({ at, isUndo }) => !isUndo && at >= time);
  if (oldest !== undefined) return undo(oldest.id);
  say("No files were changed since then.");
  return true;
}
