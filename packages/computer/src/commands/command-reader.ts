import type { CommandReading } from "@haft/core";
import { unreadCommand } from "@haft/core/internal";
import type { CommandContext } from "./command-context.ts";
import { looseWords } from "./loose-words.ts";
import type { readCommandLine } from "./read-command-line.ts";

/** Reads command lines without running them. */
export interface CommandReader {
  /** Loads the parsers; `undefined` once that is done. */
  prepare(): undefined | Promise<void>;
  /** Returns what a command would do in a directory. Never throws. */
  read(command: string, cwd: string): CommandReading;
  /** Returns the reading of a command that is not parsed, for this reason. */
  leaveUnread(command: string, why: string): CommandReading;
}

/** Creates a reader of command lines. The parsers are loaded once per process. */
export function createCommandReader(place: CommandContext): CommandReader {
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
        return leaveUnread(command, "the command parser is not loaded yet");
      } catch {
        return leaveUnread(command, "it can't be parsed");
      }
    },
    leaveUnread,
  };
}

function leaveUnread(command: string, why: string): CommandReading {
  return { ...unreadCommand(command, why), looseWords: looseWords(command) };
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
