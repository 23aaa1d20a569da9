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

interface Span {
  readonly line: number;
  readonly column: number;
  readonly start: number;
  readonly end: number;
}

type LocatedMistake = Mistake & Span;

const maxMistakes = 5;
const maxSignature = 3_000;
const maxShownLine = 200;
const maxPasses = 3;

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
  const mistakes: LocatedMistake[] = [];
  for (const diagnostic of diagnostics) {
    const span = findSpan(diagnostic, starts, code.length);
    const mistake = judgeDiagnostic(
      diagnostic,
      toContext(span, { code, tools, declared, diagnostics }),
    );
    const isKnown = mistakes.some(
      ({ line, message }) => line === span.line && message === mistake?.message,
    );
    if (mistake !== undefined && !isKnown) mistakes.push({ ...mistake, ...span });
  }
  if (mistakes.length === 0) return { kind: "fine" };
  mistakes.sort((one, other) => one.start - other.start);
  return { kind: "wrong", text: describeMistakes(mistakes, lines, tools) };
}

/**
 * Declares unknown names: as types, because a type that does not exist does no harm, and as tools if a call by that
 * name of another agent finds one.
 */
async function declareUnknown(
  diagnostics: readonly Diagnostic[],
  tools: ProgramTools,
): Promise<string> {
  const types = new Set<string>();
  const members = new Set<string>();
  for (const name of findNames(diagnostics, /^Cannot find name '(?<name>[\w$]+)'/u)) {
    types.add(`type ${name}<A = any, B = any, C = any> = any;\n`);
  }
  for (const name of findNames(diagnostics, unknownTool)) {
    const isKnown = await tools.isKnownElsewhere(name);
    if (isKnown) members.add(`${toLiteral(name)}(args?: any): Promise<any>;`);
  }
  if (members.size > 0) types.add(`interface ${toolsType} { ${[...members].join(" ")} }\n`);
  return [...types].join("");
}

function findNames(diagnostics: readonly Diagnostic[], pattern: RegExp): ReadonlySet<string> {
  return new Set(diagnostics.flatMap(({ message }) => pattern.exec(message)?.groups?.name ?? []));
}

const unknownTool = new RegExp(
  `^Property '(?<name>[^']+)' does not exist on type '${toolsType.replace("$", "\\$")}'`,
  "u",
);

function toContext(
  { start, end }: Span,
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

function findSpan(diagnostic: Diagnostic, starts: readonly number[], length: number): Span {
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
  mistakes: readonly LocatedMistake[],
  lines: readonly string[],
  tools: ProgramTools,
): string {
  const shown = mistakes.slice(0, maxMistakes);
  const parts = shown.map(({ line, column, message }) => {
    const text = clipText((lines[line - 1] ?? "").trim(), maxShownLine);
    return `${line}:${column} ${message}\n    ${text}`;
  });
  const left = mistakes.length - shown.length;
  if (left > 0) parts.push(`Not listed: ${left} more.`);
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
