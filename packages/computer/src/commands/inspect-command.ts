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

/** What a program would do with its arguments, and the commands that they hold. */
export interface Inspection {
  readonly command: ReadCommand;
  readonly inner: readonly (readonly ReadWord[])[];
}

/** Looks a command's program up and its arguments through. */
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
    const why = isElsewhere(given) ? `${given} may be any program` : `${given} is not known`;
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
  const special = inspectSpecially(scan, bare);
  const closer = [...scan.risks, ...(special.findings ?? [])];
  const isOtherwise = special.effects !== undefined;
  const { draft } = frame;
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
  // A `*` does not cover what is a risk to the program that it runs, either.
  if (words.length > mostWords && held.length > 0)
    doubts.push("it is too long to be looked through");
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

const mostWords = 100;

function doubtsOf({ words, directory, doubts }: BareCommand): readonly string[] {
  const isLiteral = !words.includes(undefined);
  if (isLiteral && directory !== undefined) return doubts;
  return [
    ...doubts,
    ...(isLiteral ? [] : ["a word of it is not literal"]),
    ...(directory === undefined ? ["it is not known in which directory it would run"] : []),
  ];
}

function findSecrets({ words, directory }: BareCommand): readonly CommandRisk[] {
  let risks = none;
  for (const [index, word] of words.entries()) {
    if (word === undefined || index === 0 || !isSecretWord(word, directory)) continue;
    risks = [...risks, { word: index, why: `${word} names a file of secrets` }];
  }
  return risks;
}

const none: readonly CommandRisk[] = [];

// Options in front of the subcommand don't change what kind of command it is.
function plainWordsOf(
  { words, plainWords }: ReadCommand,
  { path }: ArgumentScan,
): readonly ReadWord[] {
  const last = path.at(-1) ?? 0;
  if (last === path.length - 1) return plainWords;
  return [plainWords[0], ...path.slice(1).map((at) => words[at]), ...words.slice(last + 1)];
}

// What such programs run need not be allowed once they are, but it may be denied.
function innerCommands(
  { words }: ReadCommand,
  { program, operands }: ArgumentScan,
): readonly (readonly ReadWord[])[] {
  const { marks } = program.entry;
  const starts = marks.has("inner*") ? operands : marks.has("inner") ? operands.slice(0, 1) : [];
  return starts.slice(0, mostWords).map((at) => words.slice(at));
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

// Code in an argument is not looked into, but a denied program shows in it.
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
