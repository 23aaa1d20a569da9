import { utf8Head, utf8Length } from "@haft/contract/internal";
import type { CollectedFile } from "./instructions.ts";
import { wrapInTag } from "./wrap-in-tag.ts";

/** An instruction file that was read. */
export interface InstructionFile {
  readonly path: string;
  readonly text: string;
  readonly bytes: number;
  /** Whether the file is longer than the text. */
  readonly isHead: boolean;
  /** How many directories above the workspace it is. */
  readonly distance: number;
}

interface Fitted {
  readonly text: string;
  readonly files: readonly CollectedFile[];
}

// A shorter excerpt is of no use.
const leastBytes = 256;
const noteBytes = 600;

/**
 * Joins files, given nearest first, into a text of at most `maxBytes` bytes with the nearest last. If they
 * don't fit, the farthest are cut first, and the text says so.
 */
export function fitInstructions(found: readonly InstructionFile[], maxBytes: number): Fitted {
  const all = fill(found, maxBytes);
  if (all.every(({ shown }) => shown !== undefined) || maxBytes < 2 * noteBytes) return join(all);
  const some = fill(found, maxBytes - noteBytes);
  const omitted = some.filter(({ shown }) => shown === undefined).map(({ file }) => file.path);
  const note = utf8Head(`[Not shown, too long: ${omitted.join(", ")}`, noteBytes - 3);
  const { text, files } = join(some);
  return { text: `${note}]\n\n${text}`, files };
}

interface ShownFile {
  readonly file: InstructionFile;
  /** The part that is shown, between tags. `undefined` if nothing is. */
  readonly shown: string | undefined;
  readonly cut: number;
}

const separator = "\n\n";

function fill(found: readonly InstructionFile[], maxBytes: number): readonly ShownFile[] {
  let left = maxBytes;
  return found.map((file) => {
    const one = fitFile(file, left);
    if (one.shown !== undefined) left -= utf8Length(one.shown) + separator.length;
    return one;
  });
}

function fitFile(file: InstructionFile, room: number): ShownFile {
  let { text } = file;
  let isCut = file.isHead;
  for (;;) {
    const shown = wrap(file.path, isCut ? `${text}\n${cutNote}` : text);
    const excess = utf8Length(shown) - room;
    const length = utf8Length(text);
    if (excess <= 0) return { file, shown, cut: isCut ? Math.max(1, file.bytes - length) : 0 };
    const rest = length - Math.max(excess, isCut ? 1 : utf8Length(cutNote));
    if (rest < leastBytes) return { file, shown: undefined, cut: file.bytes };
    text = utf8Head(text, rest);
    isCut = true;
  }
}

const cutNote = "[The file continues. Read it if you need the rest.]";

function wrap(path: string, text: string): string {
  return wrapInTag("instructions", { path }, text);
}

function join(shown: readonly ShownFile[]): Fitted {
  const ordered = shown.toSorted((a, b) => b.file.distance - a.file.distance);
  return {
    text: ordered.flatMap(({ shown }) => shown ?? []).join(separator),
    files: ordered.map(({ file: { path, bytes }, cut }) =>
      cut > 0 ? { path, bytes, cut } : { path, bytes },
    ),
  };
}
