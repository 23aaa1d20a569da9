import type { ReadWord } from "@haft/core";
import { nameOf } from "../paths/path-parts.ts";
import type { BareCommand } from "./bare-command.ts";
import { type Frame, wrapped } from "./frame.ts";
import { isElsewhere } from "./is-elsewhere.ts";
import { readShellOptions } from "./shell-options.ts";

/** Whether a program is a shell, or a builtin that runs code. */
export function isShell(name: string): boolean {
  return shells.has(name);
}

// Code for the first is parsed as bash. The others have their own syntax, which is near enough to find
// denied programs in it.
const shells: ReadonlyMap<string, "alike" | "other" | "builtin"> = new Map([
  ...["sh", "bash", "dash"].map((name) => [name, "alike"] as const),
  ...["ash", "rbash", "zsh", "ksh", "ksh93", "mksh", "fish", "csh", "tcsh", "pwsh", "nu"].map(
    (name) => [name, "other"] as const,
  ),
  ...["eval", "trap"].map((name) => [name, "builtin"] as const),
]);

/**
 * Reads the code that a shell is given on the line. `done` if that is all it runs; `undefined` if it is
 * a command of its own, because it runs a file or its input.
 */
export function takeOffShell(bare: BareCommand, frame: Frame): "done" | undefined {
  const { words, directory, input } = bare;
  const { draft } = frame;
  const name = nameOf(words[0] ?? "");
  const kind = shells.get(name);
  if (kind === "builtin") return readBuiltin(bare, frame);

  const { at, isCode, readsInput, doubts } = readShellOptions(words);
  if (isCode) {
    if (kind === "other") doubts.push(`${name} has its own shell syntax`);
    if (isElsewhere(words[0])) doubts.push(`${words[0]} may be any program`);
    for (const doubt of [...bare.doubts, ...doubts]) draft.doubt(doubt);
    const code = words[at];
    if (code !== undefined) frame.readCode(code, directory, wrapped(frame, words.slice(0, at + 1)));
    else draft.loosen();
    return code === undefined ? undefined : "done";
  }
  if (at >= words.length || readsInput) {
    draft.doubt(`${name} runs what it reads from its input`);
    draft.loosen();
    for (const code of input) frame.readCode(code, directory, wrapped(frame, words));
  }
  return undefined;
}

function readBuiltin({ words, directory }: BareCommand, frame: Frame): "done" | undefined {
  const name = words[0];
  const given = words.slice(words[1] === "--" ? 2 : 1);
  const code = name === "eval" ? given : given.slice(0, 1);
  frame.draft.doubt(`${name} runs code`);
  if (!isLiteral(code)) {
    frame.draft.loosen();
    return undefined;
  }
  frame.readCode(code.join(" "), directory, wrapped(frame, words.slice(0, 1)));
  return name === "eval" ? "done" : undefined;
}

function isLiteral(words: readonly ReadWord[]): words is readonly string[] {
  return !words.includes(undefined);
}
