import { SourceMap, type SourceMapPayload } from "node:module";
import type { Failure } from "../worker-messages.ts";
import { toolUrl } from "./load-tool.ts";

const maxMessageCharacters = 10_000;
const maxLines = 50;
const maxLineCharacters = 500;

/** Describes a thrown value, with stack lines that point into the tool's own files. */
export function describeError(thrown: unknown, sourceMap: string | undefined): Failure {
  const type = nameOf(thrown);
  const message = messageOf(thrown).slice(0, maxMessageCharacters);
  const first = `${type}: ${message.split("\n", 1)[0]?.slice(0, maxLineCharacters)}`;
  return { type, message, stack: [first, ...listFrames(thrown, sourceMap)] };
}

function nameOf(thrown: unknown): string {
  const name = attempt(() => (thrown as Error).name) ?? attempt(() => typeof thrown);
  return typeof name === "string" && name !== "" ? name.slice(0, 200) : typeof thrown;
}

function messageOf(thrown: unknown): string {
  const message = attempt(() => (thrown instanceof Error ? thrown.message : String(thrown)));
  if (typeof message !== "string") return "The thrown value has no message.";
  const reason = message === "fetch failed" ? attempt(() => findReason(thrown as Error)) : "";
  return reason ? `${message}: ${reason}` : message;
}

// `fetch` has the reason only in its cause, and that is several errors if a host has several addresses.
function findReason({ cause }: Error): string {
  const [first] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [cause];
  return first instanceof Error ? first.message : "";
}

// Reading a property of a thrown object may itself throw.
function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

function listFrames(thrown: unknown, sourceMap: string | undefined): readonly string[] {
  const stack = attempt(() => (thrown as Error).stack);
  if (typeof stack !== "string") return [];
  const frames = stack.split("\n").filter((line) => /^\s+at /u.test(line) && isOfTool(line));
  if (frames.length === 0) return [];
  const map = sourceMap === undefined ? undefined : attempt(() => readMap(sourceMap));
  return frames
    .slice(0, maxLines)
    .map((line) => nameSources(line, map).slice(0, maxLineCharacters));
}

// Paths of the server are private, and of no use to the tool's author.
function isOfTool(line: string): boolean {
  return line.includes(toolUrl) || !/node:|file:|[\\/]/u.test(line);
}

function readMap(text: string): SourceMap {
  return new SourceMap(JSON.parse(text) as SourceMapPayload);
}

const position = new RegExp(`${toolUrl}:(\\d+):(\\d+)`, "gu");

function nameSources(line: string, map: SourceMap | undefined): string {
  return line.replace(position, (_, row: string, column: string) => {
    const entry = attempt(() => map?.findEntry(Number(row) - 1, Number(column) - 1));
    if (entry === undefined || !("originalSource" in entry)) return `tool.js:${row}:${column}`;
    const source = entry.originalSource.replace(/^(?:\.{0,2}\/)+/u, "");
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}
