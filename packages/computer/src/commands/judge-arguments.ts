import type { ReadWord } from "@haft/core";
import type { BareCommand } from "./bare-command.ts";
import { joinPath, judgeChange, judgeTarget } from "./judge-target.ts";
import type { ProgramEntry } from "./programs/program-entry.ts";
import type { ReadingDraft } from "./reading-draft.ts";
import { type ArgumentScan, does, type ScannedRisk } from "./scan-arguments.ts";

/** What is known about a program's arguments. */
export interface JudgedArguments {
  readonly scan: ArgumentScan;
  readonly bare: BareCommand;
  readonly draft: ReadingDraft;
  /** With just these arguments it does something else than its table entry says. */
  readonly isOtherwise: boolean;
}

/** Returns the risks in a program's arguments, by the marks of its table entry. */
export function judgeArguments(judged: JudgedArguments): readonly ScannedRisk[] {
  const { isUnknown, program } = judged.scan;
  const elsewhere = [...judgeDirectories(judged)];
  if (!isUnknown && !program.entry.isWatched) return elsewhere;
  return [
    ...elsewhere,
    ...judgeSelection(judged),
    ...judgeTargets(judged),
    ...judgeOperands(judged),
  ];
}

function* judgeSelection({ scan, bare, isOtherwise }: JudgedArguments): Iterable<ScannedRisk> {
  const [program] = bare.words;
  const { entry } = scan.program;
  if (scan.isUnknown) {
    const word = scan.operands[0] ?? 0;
    yield { word, kind: "unknown", why: `${program} ${show(bare.words[word])} is not known` };
  }
  if (entry.marks.has("spelled") && !isOtherwise) {
    const word = scan.path.at(-1) ?? 0;
    const [kind = "unknown"] = entry.effects;
    yield { word, kind, why: `${program} ${bare.words[word]} ${does[kind]}` };
  }
  if (entry.marks.has("doubt")) {
    yield { word: 0, kind: "doubts", why: `${program} ${does.doubts}` };
  }
}

// Working elsewhere means reading other files, and other settings.
function* judgeDirectories({ scan, bare, draft }: JudgedArguments): Iterable<ScannedRisk> {
  const moved: ReadWord[] = [];
  for (const { option, value, word } of scan.options) {
    if (option?.isDirectory !== true) continue;
    moved.push(value);
    const why = judgeTarget(value, bare.directory, draft);
    if (why !== undefined) yield { word, kind: "unknown", why };
  }
  if (!scan.root.entry.marks.has("repository")) return;
  const directory = moved.reduce(joinPath, bare.directory);
  if (directory !== undefined && draft.disk.isPlanted(directory)) {
    yield { word: 0, kind: "doubts", why: planted };
  }
}

const planted = "git would read its settings from files in the workspace";

// Resolving a path takes longer than all the rest.
const maxTargets = 20;

function* judgeTargets({ scan, bare, draft }: JudgedArguments): Iterable<ScannedRisk> {
  const { effects, written } = scan.program.entry;
  const targets = pickWritten(scan.operands, written);
  const [kind = "writes"] = effects;
  for (const word of targets.slice(0, maxTargets)) {
    const why = judgeChange(bare.words[word], bare.directory, draft);
    if (why !== undefined) yield { word, kind, why };
  }
  const left = targets[maxTargets];
  if (left !== undefined) yield { word: left, kind, why: "it changes too many files" };
}

function pickWritten(
  operands: readonly number[],
  which: ProgramEntry["written"],
): readonly number[] {
  if (which === undefined) return [];
  if (which === "all") return operands;
  return which === "last" ? operands.slice(-1) : operands.slice(which - 1, which);
}

function* judgeOperands({ scan, bare }: JudgedArguments): Iterable<ScannedRisk> {
  const { marks, operands, unexpected } = scan.program.entry;
  for (const [index, word] of scan.operands.entries()) {
    const text = bare.words[word];
    if (unexpected === "all" || index + 1 === unexpected)
      yield { word, kind: "writes", why: `${show(text)} is written` };
    if (index === 0 && (marks.has("inner") || marks.has("inner*"))) {
      yield { word, kind: "runs", why: `${show(text)} is a program that it runs` };
    }
    if (text === undefined) continue;
    if (marks.has("assigned") && /^\w+[:+?!]*=/u.test(text)) {
      yield { word, kind: "runs", why: `${text} changes what it runs` };
    }
    if (marks.has("transport") && text.includes("::")) {
      yield { word, kind: "runs", why: `${text} ${does.runs}` };
    }
    for (const [prefix, { risk = "unknown" }] of operands) {
      if (text.toLowerCase().startsWith(prefix))
        yield { word, kind: risk, why: `${text} ${does[risk]}` };
    }
  }
}

function show(word: ReadWord): string {
  return word ?? "…";
}
