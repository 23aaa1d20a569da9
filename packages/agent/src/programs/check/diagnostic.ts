import { isPlainObject } from "@haft/contract/internal";

/** An error that the compiler found in a program. */
export interface Diagnostic {
  readonly code: number;
  readonly message: string;
  readonly start: Position;
  readonly end: Position;
  readonly related: readonly { readonly message: string; readonly uri: string }[];
}

/** A place in a text, both from 0. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

const errorSeverity = 1;
const maxMessage = 4_000;

/** Reads the errors of a compiler's report. Returns `undefined` if it is no report. */
export function readDiagnostics(report: unknown): readonly Diagnostic[] | undefined {
  if (!isPlainObject(report) || !Array.isArray(report.items)) return undefined;
  return report.items.flatMap((item) => (isPlainObject(item) ? (readDiagnostic(item) ?? []) : []));
}

function readDiagnostic(item: Record<string, unknown>): Diagnostic | undefined {
  const { code, message, severity, range, relatedInformation = [] } = item;
  if (severity !== errorSeverity || typeof code !== "number") return undefined;
  if (typeof message !== "string" || !isPlainObject(range)) return undefined;
  const [start, end] = [readPosition(range.start), readPosition(range.end)];
  if (start === undefined || end === undefined) return undefined;
  const related = Array.isArray(relatedInformation) ? relatedInformation.flatMap(readRelated) : [];
  return { code, message: message.slice(0, maxMessage), start, end, related };
}

function readRelated(related: unknown): { message: string; uri: string }[] {
  if (!isPlainObject(related) || !isPlainObject(related.location)) return [];
  const { message, location } = related;
  const { uri } = location;
  return typeof message === "string" && typeof uri === "string" ? [{ message, uri }] : [];
}

function readPosition(position: unknown): Position | undefined {
  if (!isPlainObject(position)) return undefined;
  const { line, character } = position;
  return Number.isSafeInteger(line) && Number.isSafeInteger(character)
    ? { line: line as number, character: character as number }
    : undefined;
}
