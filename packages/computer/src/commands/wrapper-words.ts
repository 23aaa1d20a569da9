import type { ReadWord } from "@haft/core";
import type { BareCommand } from "./bare-command.ts";
import type { Directory } from "./directory.ts";
import { judgeAssignment } from "./judge-assignment.ts";
import { joinPath } from "./judge-target.ts";
import type { ProgramEntry } from "./programs/program-entry.ts";
import { readOption, type SeenOption } from "./read-option.ts";

/** The words that belong to a wrapper itself. */
export interface WrapperWords {
  /** Index of the first word of the inner command. */
  readonly end: number;
  /** Why that is not certain. */
  readonly doubts: readonly string[];
  /** The working directory of the inner command. */
  readonly directory: Directory;
  /** Options with their values. */
  readonly options: readonly WrapperOption[];
}

/** An option of a wrapper. */
export interface WrapperOption extends Pick<SeenOption, "name" | "option"> {
  readonly value: ReadWord;
}

/** Separates a wrapper's own words from those of the command that it runs. */
export function readWrapperWords(
  { words, directory: start }: BareCommand,
  { marks, ...entry }: ProgramEntry,
): WrapperWords {
  const doubts: string[] = [];
  const options: WrapperOption[] = [];
  let directory = start;
  let hasEnded = false;
  let skip = marks.has("skip1") ? 1 : 0;
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) {
      doubts.push("a word before the command is not literal");
      if (skip-- <= 0) break;
    } else if (word === "-" && marks.has("assigns")) {
      doubts.push(`${words[0]} - is not known`);
    } else if (!hasEnded && word === "--") {
      hasEnded = true;
    } else if (!hasEnded && word.startsWith("-") && word.length > 1) {
      for (const { name, option, attached } of readOption(word, { marks, ...entry })) {
        const isNext = attached === undefined && option?.value === "next";
        if (isNext) at++;
        const value = isNext ? words[at] : attached;
        options.push({ name, option, value });
        const isUnknown = option === undefined && !marks.has("any");
        if (isUnknown || option?.risk === "doubts") doubts.push(`${words[0]} ${name} is not known`);
        if (isNext && value === undefined) doubts.push("a word before the command is not literal");
        if (option?.isDirectory) directory = joinPath(directory, value);
      }
    } else if (marks.has("assigns") && word.indexOf("=") > 0) {
      const [name = "", ...value] = word.split("=");
      const doubt = judgeAssignment(name, value.join("="));
      if (doubt !== undefined) doubts.push(doubt);
    } else if (skip-- <= 0) break;
  }
  return { end: Math.min(at, words.length), doubts, directory, options };
}
