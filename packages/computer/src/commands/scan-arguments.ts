import type { CommandRisk, ReadWord } from "@haft/core";
import type { OptionEntry, OptionRisk } from "./programs/program-entry.ts";
import type { IndexedProgram } from "./programs/program-index.ts";
import { readOption, type SeenOption } from "./read-option.ts";

/** What a program's words are: its subcommand, its options and its operands. */
export interface ArgumentScan {
  /** The line for the program as such. */
  readonly root: IndexedProgram;
  /** The line that holds: the program's, or that of its subcommand. */
  readonly program: IndexedProgram;
  /** The places of the words that lead to it. */
  readonly path: readonly number[];
  readonly operands: readonly number[];
  readonly options: readonly ScannedOption[];
  readonly risks: readonly ScannedRisk[];
  /** The program has subcommands, and this is none that is known. */
  readonly isUnknown: boolean;
}

/** An option with its value. */
export interface ScannedOption {
  readonly name: string;
  readonly option: OptionEntry | undefined;
  /** The place of the word that it stands in. */
  readonly word: number;
  readonly value: ReadWord;
  /** The place of the word that its value stands in. */
  readonly valueWord: number;
}

/** A risk, and of what kind it is. */
export interface ScannedRisk extends CommandRisk {
  readonly kind: OptionRisk;
}

/** Finds out what each word of a command is to its program. */
export function scanArguments(words: readonly ReadWord[], start: IndexedProgram): ArgumentScan {
  let program = start;
  let isUnknown = false;
  let maySelect = start.subcommands !== undefined;
  let hasEnded = false;
  const path = [0];
  const operands: number[] = [];
  const options: ScannedOption[] = [];
  const risks: ScannedRisk[] = [];

  for (let at = 1; at < words.length; at++) {
    const word = words[at];
    if (!hasEnded && word === "--") {
      hasEnded = true;
      maySelect = false;
    } else if (!hasEnded && word !== undefined && isOption(word)) {
      let takesNext = false;
      for (const seen of readOption(word, program.entry)) {
        const option = toScanned(seen, words, { at, start });
        options.push(option);
        const risk = judgeOption(option, word, program);
        if (risk !== undefined) risks.push(risk);
        takesNext = option.valueWord > at;
      }
      // What is taken for a value may be an option all the same, if the table is wrong.
      if (takesNext && !isOption(words[at + 1] ?? "")) at++;
    } else {
      const next: IndexedProgram | undefined =
        maySelect && word !== undefined ? program.subcommands?.get(word) : undefined;
      if (next === undefined) {
        isUnknown ||= maySelect && program === start;
        maySelect = false;
        operands.push(at);
        // What follows a script or a program is for that.
        const { marks } = program.entry;
        hasEnded ||= marks.has("script") || marks.has("inner");
      } else {
        program = next;
        path.push(at);
        maySelect = next.subcommands !== undefined;
      }
    }
  }
  return { root: start, program, path, operands, options, risks, isUnknown };
}

function isOption(word: string): boolean {
  return word.length > 1 && word.startsWith("-");
}

function toScanned(
  { name, option, attached }: SeenOption,
  words: readonly ReadWord[],
  { at, start }: { readonly at: number; readonly start: IndexedProgram },
): ScannedOption {
  // Options of the program as such are often taken behind the subcommand, too.
  const known = option ?? start.entry.options.get(name);
  const isNext = attached === undefined && known?.value === "next" && at + 1 < words.length;
  const value = isNext ? words[at + 1] : attached;
  return { name, option: known, word: at, value, valueWord: isNext ? at + 1 : at };
}

function judgeOption(
  { name, option, word }: ScannedOption,
  text: string,
  { entry }: IndexedProgram,
): ScannedRisk | undefined {
  if (option?.risk !== undefined) {
    return { word, kind: option.risk, why: `${text} ${does[option.risk]}` };
  }
  if (option !== undefined || entry.marks.has("any")) return undefined;
  return { word, kind: "unknown", why: `${name} is not known to be harmless` };
}

/** What a program or an option does, for a sentence. */
export const does: Readonly<Record<OptionRisk, string>> = {
  reads: "reads what decides what is done",
  writes: "writes files",
  deletes: "deletes files",
  runs: "runs programs",
  net: "reaches the net",
  unknown: "is not known",
  doubts: "changes what can't be followed",
};
