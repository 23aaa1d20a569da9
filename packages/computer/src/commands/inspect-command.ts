import type { CommandEffect, CommandRisk, ReadCommand, ReadWord } from "@haft/core";
import { nameOf } from "../paths/path-parts.ts";
import type { BareCommand } from "./bare-command.ts";
import type { Frame } from "./frame.ts";
import { inspectSpecially } from "./inspect-specially.ts";
import { isElsewhere } from "./is-elsewhere.ts";
import { judgeArguments } from "./judge-arguments.ts";
import { findProgram, type IndexedProgram } from "./programs/program-index.ts";
import { type ArgumentScan, does, type ScannedRisk, scanArguments } from "./scan-arguments.ts";
import { isSecretWord } from "./secret-word.ts";

/** What a program would do with its arguments, and the commands that they contain. */
export interface Inspection {
  readonly command: ReadCommand;
  readonly inner: readonly (readonly ReadWord[])[];
}

/** Looks up a command's program and analyses its arguments. */
export function inspectCommand(bare: BareCommand, frame: Frame): Inspection {
  const { words } = bare;
  const [given] = words;
  const name = given === undefined ? undefined : nameOf(given);
  const program = name === undefined ? undefined : findProgram(name);
  const start: ReadCommand = {
    words,
    plainWords: name === given ? words : [name, ...words.slice(1)],
    wrappers: frame.wrappers,
    risks: findSecrets(bare),
    doubts: doubtsOf(bare),
    cwd: bare.directory,
    effects: program?.entry.effects ?? unknown,
  };
  if (program === undefined || isElsewhere(given)) {
    const why = isElsewhere(given)
      ? `${given} may be any program`
      : `${given} is not a known program`;
    const risks = [{ word: 0, why }, ...start.risks];
    return { command: { ...start, risks, effects: unknown }, inner: [] };
  }
  if (program.entry.isPlain && program.subcommands === undefined)
    return { command: start, inner: [] };
  return inspectArguments(start, program, { bare, frame });
}

function inspectArguments(
  start: ReadCommand,
  program: IndexedProgram,
  { bare, frame }: { readonly bare: BareCommand; readonly frame: Frame },
): Inspection {
  const { words } = start;
  const scan = scanArguments(words, program);
  const { draft } = frame;
  const special = inspectSpecially(scan, bare, draft);
  const closer = [...scan.risks, ...(special.findings ?? [])];
  const isOtherwise = special.effects !== undefined;
  const findings = [...closer, ...judgeArguments({ scan, bare, draft, isOtherwise })];
  const own: readonly CommandEffect[] =
    special.effects ?? (scan.isUnknown ? unknown : scan.program.entry.effects);
  const risks: CommandRisk[] = own.includes("runs")
    ? [{ word: 0, why: `${words[0]} ${does.runs}` }]
    : [];
  const doubts = [...start.doubts];
  const effects = new Set(own);
  for (const { kind, why, word } of findings) {
    if (kind === "doubts") doubts.push(why);
    else {
      risks.push({ word, why });
      effects.add(kind);
    }
  }
  const hidden = findHidingPlace(closer, scan);
  if (hidden !== undefined) {
    draft.loosen([...literalsOf(words.slice(hidden)), ...bare.input].join(" "));
  }
  const held = innerCommands(start, scan);
  // A `*` in a rule does not cover risks of the program that is run, either.
  if (words.length > maxWords && held.length > 0) doubts.push("it is too long to be analysed");
  else if (held[0] !== undefined) risks.push(...risksWithin(held[0], bare, frame));
  const command: ReadCommand = {
    ...start,
    plainWords: plainWordsOf(start, scan),
    wrappers: [...start.wrappers, ...held],
    risks: [...risks, ...start.risks],
    doubts,
    effects: [...effects],
  };
  return { command, inner: special.inner ?? [] };
}

const unknown: readonly CommandEffect[] = ["unknown"];

const maxWords = 100;

function doubtsOf({ words, directory, doubts }: BareCommand): readonly string[] {
  const isLiteral = !words.includes(undefined);
  if (isLiteral && directory !== undefined) return doubts;
  return [
    ...doubts,
    ...(isLiteral
      ? []
      : ["it has a word that the shell expands, so its arguments are not known in advance"]),
    ...(directory === undefined ? ["its working directory is not known in advance"] : []),
  ];
}

function findSecrets({ words, directory }: BareCommand): readonly CommandRisk[] {
  let risks = none;
  for (const [index, word] of words.entries()) {
    if (word === undefined || index === 0 || !isSecretWord(word, directory)) continue;
    risks = [...risks, { word: index, why: `${word} names a secret file` }];
  }
  return risks;
}

const none: readonly CommandRisk[] = [];

// Options before the subcommand don't change the kind of command.
function plainWordsOf(
  { words, plainWords }: ReadCommand,
  { path }: ArgumentScan,
): readonly ReadWord[] {
  const last = path.at(-1) ?? 0;
  if (last === path.length - 1) return plainWords;
  return [plainWords[0], ...path.slice(1).map((at) => words[at]), ...words.slice(last + 1)];
}

// Allowing such a program allows what it runs, but that can still be denied.
function innerCommands(
  { words }: ReadCommand,
  { program, operands }: ArgumentScan,
): readonly (readonly ReadWord[])[] {
  const { marks } = program.entry;
  const starts = marks.has("inner*") ? operands : marks.has("inner") ? operands.slice(0, 1) : [];
  return starts.slice(0, maxWords).map((at) => words.slice(at));
}

function risksWithin(
  inner: readonly ReadWord[],
  bare: BareCommand,
  frame: Frame,
): readonly CommandRisk[] {
  const { command } = inspectCommand({ ...bare, words: inner, doubts: [] }, frame);
  const offset = bare.words.length - inner.length;
  return command.risks
    .filter(({ word }) => word > 0)
    .map(({ word, why }) => ({ word: word + offset, why }));
}

// Code in an argument is not parsed, but a denied program in it is found by its name.
function findHidingPlace(
  findings: readonly ScannedRisk[],
  { program }: ArgumentScan,
): number | undefined {
  if (program.entry.marks.has("doubt")) return 1;
  const places = findings.filter(({ kind }) => hiding.has(kind)).map(({ word }) => word);
  return places.length === 0 ? undefined : Math.min(...places);
}

const hiding: ReadonlySet<string> = new Set(["runs", "doubts"]);

function literalsOf(words: readonly ReadWord[]): readonly string[] {
  return words.filter((word) => word !== undefined);
}
