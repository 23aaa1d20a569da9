import type { Subject } from "../../rules/subject.ts";
import type { WatchdogCall } from "../watchdog.ts";
import { type CommandLine, toCommandLine } from "./command-line.ts";

/** A call and what several rules want to know of it, each found out once. */
export class CallFacts {
  readonly call: WatchdogCall;
  readonly runsCommands: boolean;
  #lines: readonly CommandLine[] | undefined;

  constructor(call: WatchdogCall) {
    this.call = call;
    this.runsCommands = call.subjects.some(isCommand);
  }

  /** The command lines that it would run. */
  get lines(): readonly CommandLine[] {
    this.#lines ??= this.runsCommands
      ? this.call.subjects.flatMap((subject) => toCommandLine(subject) ?? [])
      : noLines;
    return this.#lines;
  }
}

const noLines: readonly CommandLine[] = [];

function isCommand({ type }: Subject): boolean {
  return type === "command";
}
