import { ToolError } from "@haft/contract";
import type { Position } from "vscode-languageserver-types";
import { type PositionEncoding, toUnits } from "../client/position-encoding.ts";
import type { LspArguments } from "../lsp-arguments.ts";
import { toLines } from "./source-lines.ts";

// The first occurrence may be in a comment, which servers ignore.
const maxPlaces = 8;

/** Returns the positions that the arguments may refer to, most likely first. */
export function findPositions(
  args: LspArguments,
  text: string,
  encoding: PositionEncoding,
): readonly Position[] {
  const { operation, line, character, symbol } = args;
  const lines = toLines(text);
  if (symbol !== undefined) {
    const places = findSymbol({ symbol, line }, lines);
    return places.map(([row, units]) => toPosition([row, countCharacters(lines[row], units)]));
  }
  if (line === undefined || character === undefined) {
    const missing = line === undefined ? "line" : "character";
    throw new ToolError(
      "invalid-arguments",
      `${missing}: ${operation} needs a position. Pass line and symbol, or line and character.`,
    );
  }
  requireLine(line, lines);
  return [toPosition([line - 1, character - 1])];

  function toPosition([row, characters]: readonly [number, number]): Position {
    return { line: row, character: toUnits(lines[row] ?? "", characters, encoding) };
  }
}

function findSymbol(
  { symbol, line }: { readonly symbol: string; readonly line: number | undefined },
  lines: readonly string[],
): readonly (readonly [row: number, units: number])[] {
  if (line !== undefined) requireLine(line, lines);
  // For a.b.c the last name is meant.
  const last = Math.max(symbol.lastIndexOf("."), symbol.lastIndexOf(":"), symbol.lastIndexOf("#"));
  const offset = last < symbol.length - 1 ? last + 1 : 0;
  const rows = line === undefined ? lines.keys() : [line - 1];
  const places: (readonly [number, number])[] = [];
  for (const row of rows) {
    for (const start of occurrences(symbol, lines[row] ?? "")) {
      places.push([row, start + offset]);
      if (places.length === maxPlaces) return places;
    }
  }
  if (places.length > 0) return places;
  const elsewhere = lines.findIndex((text) => occurrences(symbol, text).length > 0);
  if (line === undefined || elsewhere < 0) {
    throw new ToolError(
      "not-found",
      `symbol: ${JSON.stringify(symbol)} does not occur in the file. Use a name as it is written there.`,
    );
  }
  throw new ToolError(
    "not-found",
    `symbol: ${JSON.stringify(symbol)} does not occur in line ${line}, which is ${JSON.stringify((lines[line - 1] ?? "").trim().slice(0, 200))}. Its first occurrence is in line ${elsewhere + 1}.`,
  );
}

function occurrences(symbol: string, text: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(symbol); at >= 0; at = text.indexOf(symbol, at + 1)) {
    const before = text.slice(0, at);
    const after = text.slice(at + symbol.length);
    if (wordEnd.test(before) && wordStart.test(symbol)) continue;
    if (wordStart.test(after) && wordEnd.test(symbol)) continue;
    found.push(at);
  }
  return found;
}

const wordStart = /^[\p{ID_Continue}$]/u;
const wordEnd = /[\p{ID_Continue}$]$/u;

function countCharacters(line: string | undefined, units: number): number {
  return [...(line ?? "").slice(0, units)].length;
}

function requireLine(line: number, lines: readonly string[]): void {
  if (line <= lines.length) return;
  throw new ToolError(
    "invalid-arguments",
    `line: ${line} is past the end of the file, which has ${lines.length} lines.`,
  );
}
