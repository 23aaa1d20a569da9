import type { CommandRisk, ReadWord } from "@haft/core";
import type { OptionEntry, OptionRisk } from "./programs/program-entry.ts";
import type { IndexedProgram } from "./programs/program-index.ts";
import { readOption, type SeenOption } from "./read-option.ts";

/** A program's words by role: subcommand, options and operands. */
export interface ArgumentScan {
  /** The entry of the program itself. */
  readonly root: IndexedProgram;
  /** The entry that applies: the program's, or that of its subcommand. */
  readonly program: IndexedProgram;
  /** The indexes of the words that lead to it. */
  readonly path: readonly number[];
  readonly operands: readonly number[];
  readonly options: readonly ScannedOption[];
  readonly risks: readonly ScannedRisk[];
  /** The program has subcommands, and this one is not known. */
  readonly isUnknown: boolean;
}

/** An option with its value. */
export interface ScannedOption {
  readonly name: string;
  readonly option: OptionEntry | undefined;
  /** The index of its word. */
  readonly word: number;
  readonly value: ReadWord;
  /** The index of the word with its value. */
  readonly valueWord: number;
}

/** A risk, and of what kind it is. */
export interface ScannedRisk extends CommandRisk {
  readonly kind: OptionRisk;
}

/** Determines the role of each word of a command. */
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
      // A word that is taken for a value may still be an option, if the table is wrong.
      if (takesNext && !isOption(words[at + 1] ?? "")) at++;
    } else {
      const next: IndexedProgram | undefined =
        maySelect && word !== undefined ? program.subcommands?.get(word) : undefined;
      if (next === undefined) {
        isUnknown ||= maySelect && program === start;
        maySelect = false;
        operands.push(at);
        // Words after a script or a program belong to that.
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
  // Options of the program itself are often accepted after the subcommand too.
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

/** What a program or an option does, as part of a sentence. */
export const does: Readonly<Record<OptionRisk, string>> = {
  reads: "reads files that decide what it does",
  writes: "writes files",
  deletes: "deletes files",
  runs: "runs programs",
  net: "uses the network",
  unknown: "is not known",
  doubts: "has effects that can't be analysed",
};
