import { utf8Head, utf8Length } from "@haft/contract";
import type { CollectedFile } from "./instructions.ts";
import { wrapInTag } from "./wrap-in-tag.ts";

/** A file with instructions that was read. */
export interface InstructionFile {
  readonly path: string;
  readonly text: string;
  readonly bytes: number;
  /** The file goes on after the text. */
  readonly isHead: boolean;
  /** How far up it is; what has the same is in the same directory. */
  readonly distance: number;
}

interface Fitted {
  readonly text: string;
  readonly files: readonly CollectedFile[];
}

// Less of a file than this tells nothing.
const leastBytes = 256;
const noteBytes = 600;

/**
 * Puts files, given the nearest first, into a text of so many bytes at most, the nearest last. Where there
 * is not room for all, the farthest are cut first, and the text says so.
 */
export function fitInstructions(found: readonly InstructionFile[], mostBytes: number): Fitted {
  const all = fill(found, mostBytes);
  if (all.every(({ shown }) => shown !== undefined) || mostBytes < 2 * noteBytes) return join(all);
  const some = fill(found, mostBytes - noteBytes);
  const omitted = some.filter(({ shown }) => shown === undefined).map(({ file }) => file.path);
  const note = utf8Head(`[Not shown for lack of room: ${omitted.join(", ")}`, noteBytes - 3);
  const { text, files } = join(some);
  return { text: `${note}]\n\n${text}`, files };
}

interface Place {
  readonly file: InstructionFile;
  /** What is shown of it, between its tags; `undefined` if nothing is. */
  readonly shown: string | undefined;
  readonly cut: number;
}

const separator = "\n\n";

function fill(found: readonly InstructionFile[], mostBytes: number): readonly Place[] {
  let left = mostBytes;
  return found.map((file) => {
    const place = fitFile(file, left);
    if (place.shown !== undefined) left -= utf8Length(place.shown) + separator.length;
    return place;
  });
}

function fitFile(file: InstructionFile, room: number): Place {
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

const cutNote = "[The file goes on. Read it if you need the rest.]";

function wrap(path: string, text: string): string {
  return wrapInTag("instructions", { path }, text);
}

function join(places: readonly Place[]): Fitted {
  const ordered = places.toSorted((a, b) => b.file.distance - a.file.distance);
  return {
    text: ordered.flatMap(({ shown }) => shown ?? []).join(separator),
    files: ordered.map(({ file: { path, bytes }, cut }) =>
      cut > 0 ? { path, bytes, cut } : { path, bytes },
    ),
  };
}
