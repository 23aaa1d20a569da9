import type { CommandEffect } from "@haft/core";

/**
 * What is known about a program, written as one line of words in the tables of this folder. The line
 * has sections, separated by `|`.
 *
 * The first section says what the program does as such (`reads`, `writes`, `deletes`, `runs`, `net`)
 * and has marks:
 * - `any`: options that are not listed are harmless. Without it they are risks, so that new ones,
 *   misspelt ones and abbreviations are.
 * - `reads0`: without an operand, and with none but harmless options, it only reads.
 * - `out*`, `out$`, `out1`: all operands, the last one or the first are written or deleted.
 * - `also2`, `also*`: a second operand, or every operand, is written too, which people don't expect.
 * - `script`: the first operand is code or a file of code; without one, code is read from input.
 * - `input`: without an option that gives it code, it runs the code that it reads from input.
 * - `inner`: the first operand is a program, and what follows belongs to that.
 * - `inner*`: one of the operands is.
 * - `assigned`: operands of the form NAME=VALUE steer it.
 * - `transport`: operands may name a program that fetches (`ext::…`).
 * - `repository`: it takes the settings of the repository that it runs in.
 * - `dashed`: options are whole words after one dash (`-out`), never combined letters.
 * - `spelled`: a rule must spell out the word that this line is for.
 * - `doubt`: its effects can't be analysed, so no rule makes it certain.
 * - any other word names an analysing function, in `inspect-specially.ts`.
 *
 * Every other section lists options: harmless ones, or, after an effect or `doubts`, risky ones. A
 * group of letters is flags; `:` follows an option that takes a value, `?` one that takes a value only
 * attached, `:dir` one that takes a working directory; `-#` is any number. A word without a dash is
 * the start of a risky operand.
 *
 * A table's key is the program, or the program and its subcommand; `|` separates names that share a
 * line. A program that has lines for subcommands accepts no other subcommands.
 */
export interface ProgramEntry {
  readonly effects: readonly CommandEffect[];
  readonly marks: ReadonlySet<string>;
  /** Operands that it changes by nature. */
  readonly written: "all" | "last" | number | undefined;
  /** The operands that it writes although people don't expect that. */
  readonly unexpected: "all" | number | undefined;
  readonly options: ReadonlyMap<string, OptionEntry>;
  /** Options that must also be recognized by their abbreviations. */
  readonly risky: readonly string[];
  /** Starts of risky operands. */
  readonly operands: ReadonlyMap<string, OptionEntry>;
  /** Its operands, or the word that leads to it, can be risks. */
  readonly isWatched: boolean;
  /** No argument changes what it does. */
  readonly isPlain: boolean;
}

/** One option of a program. */
export interface OptionEntry {
  readonly value: "none" | "next" | "attached";
  readonly isDirectory: boolean;
  /** What makes it a risk. Default: it is harmless. */
  readonly risk?: OptionRisk;
}

/** Why an option is a risk. */
export type OptionRisk = CommandEffect | "doubts";

/** Parses a line of the tables. */
export function parseEntry(line: string): ProgramEntry {
  const [first = "", ...sections] = line.split("|").map((section) => section.trim().split(/\s+/u));
  const effects: CommandEffect[] = [];
  const marks = new Set<string>();
  for (const word of first) {
    if (isRisk(word) && word !== "doubts") effects.push(word);
    else if (word !== "") marks.add(word);
  }
  const options = new Map<string, OptionEntry>();
  const operands = new Map<string, OptionEntry>();
  for (const [label = "", ...rest] of sections) {
    const risk = isRisk(label) ? label : undefined;
    for (const word of risk === undefined ? [label, ...rest] : rest) {
      if (word.startsWith("-")) addOption(word, risk, { options, marks });
      else operands.set(word, { value: "none", isDirectory: false, ...(risk && { risk }) });
    }
  }
  const risky = [...options]
    .filter(([, { risk, isDirectory }]) => risk !== undefined || isDirectory)
    .map(([name]) => name);
  const isPlain = marks.size === 1 && marks.has("any") && options.size === 0 && operands.size === 0;
  const isWatched = operands.size > 0 || [...marks].some((mark) => watched.test(mark));
  return { effects, marks, ...writtenBy(marks), options, risky, operands, isWatched, isPlain };
}

const watched = /^(?:out.|also.|inner\*?|assigned|transport|spelled|doubt)$/u;

function writtenBy(marks: ReadonlySet<string>): Pick<ProgramEntry, "written" | "unexpected"> {
  let written: ProgramEntry["written"];
  let unexpected: ProgramEntry["unexpected"];
  for (const mark of marks) {
    const [, kind, which = ""] = /^(out|also)([*$\d])$/u.exec(mark) ?? [];
    if (kind === "also") unexpected = which === "*" ? "all" : Number(which);
    if (kind === "out") written = which === "*" ? "all" : which === "$" ? "last" : Number(which);
  }
  return { written, unexpected };
}

function isRisk(word: string): word is OptionRisk {
  return riskNames.has(word);
}

const riskNames: ReadonlySet<string> = new Set([
  "reads",
  "writes",
  "deletes",
  "runs",
  "net",
  "unknown",
  "doubts",
] satisfies OptionRisk[]);

interface OptionTarget {
  readonly options: Map<string, OptionEntry>;
  readonly marks: ReadonlySet<string>;
}

const optionForm = /^(--?[^:?]+)([:?]?)(dir)?$/u;

function addOption(word: string, risk: OptionRisk | undefined, to: OptionTarget): void {
  const [, name = word, sign, directory] = optionForm.exec(word) ?? [];
  const entry: OptionEntry = {
    value: sign === ":" ? "next" : sign === "?" ? "attached" : "none",
    isDirectory: directory !== undefined,
    ...(risk && { risk }),
  };
  if (name.startsWith("--") || to.marks.has("dashed")) to.options.set(name, entry);
  else for (const letter of name.slice(1)) to.options.set(`-${letter}`, entry);
}
