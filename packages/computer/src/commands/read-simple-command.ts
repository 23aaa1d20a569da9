import type { ReadWord } from "@haft/core";
import type { Assignment, Command, Word } from "unbash";
import { type Directory, type Outcome, stays } from "./directory.ts";
import type { Frame } from "./frame.ts";
import { judgeAssignment } from "./judge-assignment.ts";
import { toLiteral } from "./literal-word.ts";
import { readBareCommand } from "./read-bare-command.ts";
import { readRedirections } from "./read-redirections.ts";

/** Reads a command with its variables and redirections. */
export function readSimpleCommand(command: Command, directory: Directory, frame: Frame): Outcome {
  const { name, prefix, suffix } = command;
  for (const part of prefix) {
    if (part.type === "Assignment") readAssignment(part, directory, frame);
  }
  const hasRedirections = prefix.length > 0 || suffix.some(isRedirection);
  const input = hasRedirections ? readRedirections(command.redirects, directory, frame) : nothing;
  if (name === undefined) return stays(directory);
  const words: ReadWord[] = [readWord(name, directory, frame)];
  for (const part of suffix) {
    if (part.type === "Word" || part.type === "Assignment")
      words.push(readWord(part, directory, frame));
  }
  return readBareCommand({ words, directory, doubts: nothing, input }, frame);
}

const nothing: readonly string[] = [];

function isRedirection({ type }: { readonly type: string }): boolean {
  return type !== "Word" && type !== "Assignment";
}

/** The value of a word. The commands inside a word without a literal value are read. */
export function readWord(word: Word | Assignment, directory: Directory, frame: Frame): ReadWord {
  const { draft } = frame;
  const literal = toLiteral(word.text, draft.place.home);
  if (literal === undefined) frame.readInside(word, directory, frame);
  else if (word.type === "Word" && literal !== word.value && !word.text.startsWith("~")) {
    draft.doubt("the two parsers disagree about a word");
    draft.loosen();
  }
  return literal;
}

function readAssignment(assignment: Assignment, directory: Directory, frame: Frame): void {
  const { name, value, append, index, text } = assignment;
  const isPlain = value.type === "Word" && append !== true && index === undefined;
  const literal = isPlain ? toLiteral(value.text, undefined) : undefined;
  const doubt = judgeAssignment(name, literal ?? (isPlain && value.text === "" ? "" : undefined));
  if (doubt === undefined) return;
  frame.draft.doubt(doubt);
  frame.draft.loosen(text);
  frame.readInside(assignment, directory, frame);
}
