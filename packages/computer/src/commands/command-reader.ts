import { type CommandReading, unreadCommand } from "@haft/core";
import type { CommandPlace } from "./command-place.ts";
import { looseWords } from "./loose-words.ts";
import type { readCommandLine } from "./read-command-line.ts";

/** Reads command lines without running them. */
export interface CommandReader {
  /** Loads what reading needs; `undefined` once that is done. */
  prepare(): undefined | Promise<void>;
  /** What a command would do in a directory. Never throws. */
  read(command: string, cwd: string): CommandReading;
}

/** Makes a reader of command lines. What reads them is loaded once for all readers of a process. */
export function createCommandReader(place: CommandPlace): CommandReader {
  return {
    prepare: () => {
      if (readLine !== undefined) return undefined;
      loading ??= load().finally(() => {
        loading = undefined;
      });
      return loading;
    },
    read: (command, cwd) => {
      try {
        if (readLine !== undefined) return readLine(command, cwd, place);
        const why = "what reads commands is not loaded yet";
        return { ...unreadCommand(command, why), looseWords: looseWords(command) };
      } catch {
        return { ...unreadCommand(command, "it can't be read"), looseWords: looseWords(command) };
      }
    },
  };
}

let readLine: typeof readCommandLine | undefined;
let loading: Promise<void> | undefined;

async function load(): Promise<void> {
  const [first, second] = await Promise.all([
    import("./read-command-line.ts"),
    import("./outlines/second-parser.ts"),
  ]);
  await second.loadSecondParser();
  readLine = first.readCommandLine;
}
