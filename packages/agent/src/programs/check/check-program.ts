import { clipText } from "@haft/contract/internal";
import { type ProgramTools, toSignature } from "../program-tools.ts";
import { toLiteral } from "../type-text.ts";
import type { Diagnostic, Position } from "./diagnostic.ts";
import { judgeDiagnostic } from "./judge-diagnostic.ts";
import type { DiagnosticContext, Mistake } from "./mistake.ts";
import { declareFor, type ProgramDeclarations, toolsType } from "./program-declarations.ts";
import type { TypeChecker } from "./type-checker.ts";

/** What the check of a program found. */
export type CheckedProgram =
  /** It can run. */
  | { readonly kind: "fine" }
  /** It must not run. The text says why, for the model. */
  | { readonly kind: "wrong"; readonly text: string }
  /** It could not be checked. The reason is empty if it was given before. */
  | { readonly kind: "unchecked"; readonly failure: string };

interface Place {
  readonly line: number;
  readonly column: number;
  readonly start: number;
  readonly end: number;
}

type PlacedMistake = Mistake & Place;

const maxMistakes = 5;
const maxSignature = 3_000;
const maxShownLine = 200;
const maxPasses = 3;
const maxUnknown = 100;

/** Checks a program against its tools before it runs. */
export async function checkProgram(
  code: string,
  tools: ProgramTools,
  checker: TypeChecker,
): Promise<CheckedProgram> {
  const declared = declareFor(code, tools);
  const lines = code.split(/\r\n|\r|\n/u);
  const starts = findStarts(code);
  let more = "";
  let diagnostics: readonly Diagnostic[] = [];
  for (let pass = 1; pass <= maxPasses; pass++) {
    const report = await checker.check(code, declared.text + more);
    if ("failure" in report) return { kind: "unchecked", failure: report.failure };
    ({ diagnostics } = report);
    const found = await declareUnknown(diagnostics, tools);
    if (found === "" || more.includes(found)) break;
    more += found;
  }
  const mistakes: PlacedMistake[] = [];
  for (const diagnostic of diagnostics) {
    const place = findPlace(diagnostic, starts, code.length);
    const mistake = judgeDiagnostic(
      diagnostic,
      toContext(place, { code, tools, declared, diagnostics }),
    );
    const isKnown = mistakes.some(
      ({ line, message }) => line === place.line && message === mistake?.message,
    );
    if (mistake !== undefined && !isKnown) mistakes.push({ ...mistake, ...place });
  }
  if (mistakes.length === 0) return { kind: "fine" };
  return { kind: "wrong", text: describeMistakes(mistakes, lines, tools) };
}

/**
 * Declares names that the program uses and nobody declares: as types, because a type that does not exist does no
 * harm, and as tools where a call finds one by a name of another agent.
 */
async function declareUnknown(
  diagnostics: readonly Diagnostic[],
  tools: ProgramTools,
): Promise<string> {
  const names = new Set<string>();
  const others = new Set<string>();
  for (const { message } of diagnostics) {
    const name = /^Cannot find name '(?<name>[\w$]+)'/u.exec(message)?.groups?.name;
    if (name !== undefined && names.size < maxUnknown) names.add(name);
    const tool = unknownTool.exec(message)?.groups?.name;
    if (tool === undefined || others.has(tool) || others.size >= maxUnknown) continue;
    if (await tools.isKnownElsewhere(tool)) others.add(tool);
  }
  const types = [...names].map((name) => `type ${name}<A = any, B = any, C = any> = any;\n`);
  const members = [...others].map((name) => `${toLiteral(name)}(args?: any): Promise<any>;`);
  const tool = members.length === 0 ? "" : `interface ${toolsType} { ${members.join(" ")} }\n`;
  return types.join("") + tool;
}

const unknownTool = new RegExp(
  `^Property '(?<name>[^']+)' does not exist on type '${toolsType.replace("$", "\\$")}'`,
  "u",
);

function toContext(
  { start, end }: Place,
  {
    code,
    tools,
    declared,
    diagnostics,
  }: {
    code: string;
    tools: ProgramTools;
    declared: ProgramDeclarations;
    diagnostics: readonly Diagnostic[];
  },
): DiagnosticContext {
  return {
    tools,
    types: declared.types,
    code,
    before: code.slice(Math.max(0, start - 400), start),
    place: code.slice(start, end),
    after: code.slice(end, end + 100),
    all: diagnostics,
  };
}

function findStarts(code: string): readonly number[] {
  return [0, ...[...code.matchAll(/\r\n|\r|\n/gu)].map(({ 0: end, index }) => index + end.length)];
}

function findPlace(diagnostic: Diagnostic, starts: readonly number[], length: number): Place {
  const toOffset = ({ line, character }: Position): number => {
    const start = starts[line];
    if (start === undefined) return length;
    return Math.min(length, start + character);
  };
  const start = toOffset(diagnostic.start);
  const line = starts.findLastIndex((each) => each <= start);
  return {
    line: line + 1,
    column: start - (starts[line] ?? 0) + 1,
    start,
    end: toOffset(diagnostic.end),
  };
}

function describeMistakes(
  mistakes: readonly PlacedMistake[],
  lines: readonly string[],
  tools: ProgramTools,
): string {
  const shown = mistakes.slice(0, maxMistakes);
  const parts = shown.map(({ line, column, message }) => {
    const text = clipText((lines[line - 1] ?? "").trim(), maxShownLine);
    return `${line}:${column} ${message}\n    ${text}`;
  });
  const left = mistakes.length - shown.length;
  if (left > 0)
    parts.push(`${left === 1 ? "1 more error is" : `${left} more errors are`} not listed.`);
  for (const property of new Set(shown.flatMap(({ property: each }) => each ?? []))) {
    const tool = tools.find(property);
    if (tool !== undefined) parts.push(showSignature(property, toSignature(tool)));
  }
  const count = mistakes.length === 1 ? "an error" : `${mistakes.length} errors`;
  return `The program has ${count}:\n\n${parts.join("\n\n")}\n\nNothing ran.`;
}

function showSignature(property: string, signature: string): string {
  if (signature.length <= maxSignature) return signature;
  return `${signature.slice(0, maxSignature)}…\nThe whole signature: await tools.$describe(${JSON.stringify(property)})`;
}
