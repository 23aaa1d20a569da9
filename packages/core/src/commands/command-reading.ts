/**
 * What a command line would do, as far as that can be known without running it. Whoever reads one
 * leaves out nothing that might run: what is not certain is a doubt, never an omission.
 */
export interface CommandReading {
  /** Why the whole is not certain: it does not parse, it defines functions, the readers disagree. */
  readonly doubts: readonly string[];
  /** Every command that would or might run, wherever in the line; wrappers are taken off. */
  readonly commands: readonly ReadCommand[];
  /** The files that redirections write. */
  readonly writes: readonly ReadWrite[];
  /** Words of what did not parse, so that a denied program is found there too. */
  readonly looseWords: readonly string[];
  /** All of it is certain, and known to change nothing and to reach nobody. */
  readonly readsOnly: boolean;
}

/** One command of a line: a program and its arguments. */
export interface ReadCommand {
  /** As the shell would hand them over; `undefined` for a word that is not literal. */
  readonly words: readonly ReadWord[];
  /** The same with the program's bare name first and options before its subcommand left out. */
  readonly plainWords: readonly ReadWord[];
  /** What was taken off, outermost first: `timeout 5`, `env A=1`. */
  readonly wrappers: readonly (readonly ReadWord[])[];
  /** Words that a rule must spell out, because they run programs, write files or name secrets. */
  readonly risks: readonly CommandRisk[];
  /** What no rule can make certain: a word that is not literal, a variable that steers programs. */
  readonly doubts: readonly string[];
  /** Where it would run; `undefined` if that is not known. */
  readonly cwd: string | undefined;
  /** What the program is known to do with these arguments. */
  readonly effects: readonly CommandEffect[];
}

/** A word of a command, or `undefined` where it is not literal. */
export type ReadWord = string | undefined;

/** What a program may do beside computing; an unknown program may do all of it. */
export type CommandEffect = "reads" | "writes" | "deletes" | "runs" | "net" | "unknown";

/** A word that no `*` covers. */
export interface CommandRisk {
  /** Its place in `words`; 0 stands for the program as such. */
  readonly word: number;
  readonly why: string;
}

/** A file that a redirection writes. */
export interface ReadWrite {
  /** In full; `undefined` if it is not known which. */
  readonly path: string | undefined;
  /** Why it may not be written by anybody: it is protected. */
  readonly refusal?: string;
  /** It lies in a place that only the sandbox sees, and that goes with it. */
  readonly isPrivate?: boolean;
}

/** What is known of a command that nobody could read. */
export function unreadCommand(command: string, why: string): CommandReading {
  return {
    doubts: [why],
    commands: [],
    writes: [],
    looseWords: command.match(/[\w./-]+/gu) ?? [],
    readsOnly: false,
  };
}
