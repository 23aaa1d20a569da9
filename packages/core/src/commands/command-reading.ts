/**
 * What a command line would do, as far as that is known without running it. A reader must not leave
 * out anything that might run: uncertainty is reported as a doubt, never as an omission.
 */
export interface CommandReading {
  /** Why the reading is uncertain: the line does not parse, defines functions, or two readers disagree. */
  readonly doubts: readonly string[];
  /** Every command that would or might run, anywhere in the line, without wrappers. */
  readonly commands: readonly ReadCommand[];
  /** The files that redirections write. */
  readonly writes: readonly ReadWrite[];
  /** Words of the part that did not parse, so that denied programs are found there too. */
  readonly looseWords: readonly string[];
  /** The reading is certain, and the line is known to change nothing and to use no network. */
  readonly readsOnly: boolean;
}

/** One command of a line: a program and its arguments. */
export interface ReadCommand {
  /** The words after shell expansion. `undefined` for a word that is not literal. */
  readonly words: readonly ReadWord[];
  /** The words with the program's bare name, and without options before its subcommand. */
  readonly plainWords: readonly ReadWord[];
  /** The removed wrappers such as `timeout 5` or `env A=1`, outermost first. */
  readonly wrappers: readonly (readonly ReadWord[])[];
  /** Words that a rule must spell out because they run programs, write files or name secrets. */
  readonly risks: readonly CommandRisk[];
  /** Uncertainties that no rule can remove, such as a non-literal word or a variable that affects programs. */
  readonly doubts: readonly string[];
  /** The directory in which it would run, or `undefined` if not known. */
  readonly cwd: string | undefined;
  /** The known effects of the program with these arguments. */
  readonly effects: readonly CommandEffect[];
}

/** A word of a command, or `undefined` if it is not literal. */
export type ReadWord = string | undefined;

/** An effect of a program. `unknown` stands for any effect. */
export type CommandEffect = "reads" | "writes" | "deletes" | "runs" | "net" | "unknown";

/** A word that a `*` in a rule does not cover. */
export interface CommandRisk {
  /** Index in `words`. 0 is the program. */
  readonly word: number;
  readonly why: string;
}

/** A file that a redirection writes. */
export interface ReadWrite {
  /** The full path, or `undefined` if not known. */
  readonly path: string | undefined;
  /** The path after following links, if it differs. */
  readonly landing?: string;
  /** Why the file is protected and must not be written. */
  readonly refusal?: string;
  /** The file is in a directory that exists only inside the sandbox. */
  readonly isPrivate?: boolean;
}

/** Returns the reading of a command that could not be parsed. */
export function unreadCommand(command: string, why: string): CommandReading {
  return {
    doubts: [why],
    commands: [],
    writes: [],
    looseWords: command.match(/[\w./-]+/gu) ?? [],
    readsOnly: false,
  };
}
