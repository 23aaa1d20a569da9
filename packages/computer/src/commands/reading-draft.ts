import type { CommandReading, ReadCommand, ReadWrite } from "@haft/core";
import type { ParsedScript } from "unbash";
import type { CommandContext } from "./command-context.ts";
import { createDiskView, type DiskView } from "./disk-view.ts";
import { looseWords } from "./loose-words.ts";

/** A reading in progress. */
export interface ReadingDraft {
  readonly place: CommandContext;
  readonly disk: DiskView;
  readonly commands: ReadCommand[];
  readonly writes: ReadWrite[];
  /** Sources that were parsed, to be parsed a second time. */
  readonly sources: SourceText[];
  /** Makes the whole reading uncertain, for this reason. */
  doubt(why: string): void;
  /** A denied program may hide in this text. Default: in the whole command line. */
  loosen(text?: string): void;
  /** Whether a command read so far could have changed the disk. */
  mayHaveChanged(): boolean;
  isCertain(): boolean;
  finish(): CommandReading;
}

/** A script with the first parser's result. */
export interface SourceText {
  readonly source: string;
  readonly script: ParsedScript;
}

/** Starts the reading of a command line. */
export function createDraft(command: string, place: CommandContext): ReadingDraft {
  const doubts = new Set<string>();
  const texts = new Set<string>();
  const commands: ReadCommand[] = [];
  const writes: ReadWrite[] = [];
  const isCertain = (): boolean =>
    doubts.size === 0 && commands.every((command) => command.doubts.length === 0);
  return {
    place,
    disk: createDiskView(place.roots),
    commands,
    writes,
    sources: [],
    doubt: (why) => doubts.add(why),
    loosen: (text = command) => texts.add(text),
    mayHaveChanged: () => writes.length > 0 || !commands.every(onlyReads),
    isCertain,
    finish: () => ({
      doubts: [...doubts],
      commands,
      writes,
      looseWords: [...texts].flatMap(looseWords),
      readsOnly:
        isCertain() &&
        writes.length === 0 &&
        commands.every((command) => command.risks.length === 0 && onlyReads(command)),
    }),
  };
}

function onlyReads({ effects }: ReadCommand): boolean {
  return effects.every((effect) => effect === "reads");
}
