import type { ReadWord } from "@haft/core";
import { nameOf } from "../paths/path-parts.ts";
import type { BareCommand } from "./bare-command.ts";
import { type Frame, wrapped } from "./frame.ts";
import { isElsewhere } from "./is-elsewhere.ts";
import { judgeTarget } from "./judge-target.ts";
import type { ProgramEntry } from "./programs/program-entry.ts";
import { readWrapperWords, type WrapperOption } from "./wrapper-words.ts";

/** A command without its outermost wrapper. */
export interface WrappedCommand {
  readonly command: BareCommand;
  readonly frame: Frame;
}

/**
 * Finds the command that a wrapper runs. `undefined` if it runs none and is a command of its own;
 * `done` if it runs code, which was read.
 */
export function takeOffWrapper(
  bare: BareCommand,
  entry: ProgramEntry,
  frame: Frame,
): WrappedCommand | "done" | undefined {
  const { words } = bare;
  const { marks } = entry;
  const own = readWrapperWords(bare, entry);
  const name = nameOf(words[0] ?? "");
  if (name === "command" && own.options.some((option) => /^-[vV]$/u.test(option.name))) {
    return undefined;
  }
  const { directory } = own;
  const doubts = [...bare.doubts, ...own.doubts, ...doubtsOf(own.options, bare, frame)];
  if (isElsewhere(words[0])) doubts.push(`${words[0]} may be any program`);
  if (marks.has("other")) {
    doubts.push(`${name} runs it as another user, somewhere else or at another time`);
  }
  if (doubts.length > bare.doubts.length) {
    frame.draft.loosen([...literals(words), ...bare.input].join(" "));
  }
  const inside = wrapped(frame, words.slice(0, own.end));
  const rest = [...splitStrings(own.options, doubts), ...words.slice(own.end)];
  const code = marks.has("joined") ? [literals(rest).join(" ")] : codeOf(own.options);
  if (code.length === 0 && rest.length > 0 && !marks.has("code")) {
    const given = marks.has("extended") ? extend(rest, own.options) : rest;
    return { command: { words: given, directory, doubts, input: bare.input }, frame: inside };
  }
  if (code.length === 0 && !marks.has("other")) return undefined;
  for (const doubt of doubts) frame.draft.doubt(doubt);
  for (const text of code) frame.readCode(text, directory, inside);
  return "done";
}

function literals(words: readonly ReadWord[]): readonly string[] {
  return words.filter((word) => word !== undefined);
}

function doubtsOf(
  options: readonly WrapperOption[],
  { directory }: BareCommand,
  { draft }: Frame,
): readonly string[] {
  return options
    .filter(({ option }) => option?.isDirectory)
    .map(({ value }) => judgeTarget(value, directory, draft))
    .filter((doubt) => doubt !== undefined);
}

function codeOf(options: readonly WrapperOption[]): readonly string[] {
  return literals(
    options.filter(({ option }) => option?.risk === "runs").map(({ value }) => value),
  );
}

// The string that `env -S` splits may start with options and variables, like env's own arguments.
function splitStrings(options: readonly WrapperOption[], doubts: string[]): readonly ReadWord[] {
  return options
    .filter(({ name }) => name === "-S" || name === "--split-string")
    .flatMap(({ value }) => {
      if (value === undefined || !/^[\w\s./=:@%+,-]*$/u.test(value)) {
        doubts.push("the string that env splits is not literal");
      }
      return ["env", ...(value?.split(/\s+/u).filter((word) => word !== "") ?? [])];
    });
}

// xargs adds words that are not known yet, or substitutes them for a placeholder.
function extend(
  words: readonly ReadWord[],
  options: readonly WrapperOption[],
): readonly ReadWord[] {
  const replacing = options.find(({ name }) => /^(?:-I|-i|--replace)$/u.test(name));
  if (replacing === undefined) return [...words, undefined];
  const placeholder = replacing.value || "{}";
  return words.map((word) => (word?.includes(placeholder) ? undefined : word));
}
