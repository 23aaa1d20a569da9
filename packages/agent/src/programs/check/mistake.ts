import { clipText } from "@haft/contract/internal";
import type { ProgramTools } from "../program-tools.ts";
import { toLine } from "../type-text.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { ProgramDeclarations, ToolType } from "./program-declarations.ts";

/** A mistake that keeps a program from running. */
export interface Mistake {
  /** What is wrong, and the remedy. */
  readonly message: string;
  /** The tool whose signature helps, as a property of `tools`. */
  readonly property?: string;
}

/** Where a diagnostic was found. */
export interface DiagnosticContext {
  readonly tools: ProgramTools;
  readonly types: ProgramDeclarations["types"];
  readonly code: string;
  /** The code just before the place that the diagnostic is about, the place itself, and what follows. */
  readonly before: string;
  readonly place: string;
  readonly after: string;
  /** All diagnostics of the program. */
  readonly all: readonly Diagnostic[];
}

/** For programs that load modules. */
export const noModules = "A program can't load modules. Use tools instead.";

/** The codes of diagnostics about a value whose type does not fit. */
export const fitCodes: ReadonlySet<number> = new Set([
  2322, 2345, 2353, 2554, 2555, 2559, 2561, 2739, 2740, 2741, 2769, 2820,
]);

/** Tells whether the program puts something else into a variable of a result's type. Then the type says little. */
export function isReassigned(type: string, { all, types }: DiagnosticContext): boolean {
  if (types.get(type)?.part === "args") return false;
  const phrases = ["to", "from", "in"].map((word) => `${word} type '${type}'`);
  return all.some(
    ({ code, message }) => fitCodes.has(code) && phrases.some((phrase) => message.includes(phrase)),
  );
}

/** Describes a promise that is used as a value. */
export function describeMissingAwait(type: string, { types }: DiagnosticContext): Mistake {
  const inner = types.get(/^Promise<(?<inner>[\w$]+)/u.exec(type)?.groups?.inner ?? "");
  const what = inner === undefined ? "" : ` of tools.${inner.property}`;
  return {
    message: `This is a promise${what}. Await it first: (await …), or await Promise.all(…) for several.`,
    ...(inner !== undefined && { property: inner.property }),
  };
}

/** Names a type of a tool in a sentence. */
export function describeType({ property, part, isWhole }: ToolType): string {
  const whole = part === "args" ? "arguments" : "result";
  return `${isWhole ? `The ${whole}` : `This part of the ${whole}`} of tools.${property}`;
}

const maxListed = 20;
const maxName = 80;

/** Lists the first names. */
export function listNames(names: readonly string[]): string {
  const more = names.length > maxListed ? ", …" : "";
  const shown = names.slice(0, maxListed).map((name) => clipText(toLine(name), maxName));
  return `${shown.join(", ")}${more}`;
}
