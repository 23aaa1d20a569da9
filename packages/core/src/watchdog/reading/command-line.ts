import type { CommandReading } from "../../commands/command-reading.ts";
import type { Subject } from "../../rules/subject.ts";
import { findSenders, type NetSender } from "./net-sender.ts";
import { isWatched, type SeenCommand, toSeenCommand } from "./seen-command.ts";

/** A command line as the rules look at it. What takes work to know is found out once, if at all. */
export class CommandLine {
  readonly text: string;
  readonly reading: CommandReading;
  /** The commands whose programs any rule looks at. */
  readonly commands: readonly SeenCommand[];
  readonly cwd: string | undefined;
  #all: readonly SeenCommand[] | undefined;
  #words: readonly string[] | undefined;
  #senders: readonly NetSender[] | undefined;

  constructor(text: string, reading: CommandReading, cwd: string | undefined) {
    this.text = text;
    this.reading = reading;
    this.cwd = cwd;
    this.commands = reading.commands.filter(isWatched).map(toSeenCommand);
  }

  get allCommands(): readonly SeenCommand[] {
    this.#all ??= this.reading.commands.map(toSeenCommand);
    return this.#all;
  }

  /** All its words, as well as they can be told without reading it. */
  get words(): readonly string[] {
    this.#words ??= this.text.split(/[\s"'`;|&<>()$={},@:]+/u).filter((word) => word !== "");
    return this.#words;
  }

  /** What could carry something to another machine. */
  get senders(): readonly NetSender[] {
    this.#senders ??= findSenders(this.commands, this.text);
    return this.#senders;
  }

  /** Commands of a program that may be hidden in what could not be read for certain. */
  looseCommands(program: string): SeenCommand[] {
    const { looseWords } = this.reading;
    return looseWords.flatMap((word, index) => {
      if (word !== program && !word.endsWith(`/${program}`)) return [];
      // Where it ends is not known.
      const args = looseWords.slice(index + 1, index + 1 + maxLoose);
      return [{ program, args, plainArgs: args, under: [], cwd: this.cwd }];
    });
  }
}

const maxLoose = 50;

/** Makes a command line of what a call touches, if that is a command that was read. */
export function toCommandLine({ type, key, reading, cwd }: Subject): CommandLine | undefined {
  if (type !== "command" || reading === undefined) return undefined;
  return new CommandLine(key, reading, cwd);
}
