import type { Location, LocationLink, Range } from "vscode-languageserver-types";
import { fromUnits, type PositionEncoding } from "../client/position-encoding.ts";
import { toPath } from "../client/to-path.ts";
import type { LocationEntry } from "../lsp-data.ts";
import { showPath } from "./show-path.ts";
import type { SourceLines } from "./source-lines.ts";

/** A response with locations. */
export type LocationAnswer = Location | readonly (Location | LocationLink)[] | null | undefined;

/** Options of `toLocations`. */
export interface LocationView {
  readonly lines: SourceLines;
  readonly encoding: PositionEncoding;
  /** The workspace root. */
  readonly root: string;
}

const maxTextLength = 200;

/** Returns the locations of a response without duplicates. */
export function findLocations(answer: LocationAnswer): readonly Location[] {
  const list = Array.isArray(answer) ? answer : [answer ?? []].flat();
  const byKey = new Map<string, Location>();
  for (const entry of list as readonly (Location | LocationLink)[]) {
    const { uri, range } =
      "targetUri" in entry
        ? { uri: entry.targetUri, range: entry.targetSelectionRange ?? entry.targetRange }
        : entry;
    const { line, character } = range.start;
    byKey.set(`${uri} ${line} ${character}`, { uri, range });
  }
  return [...byKey.values()];
}

/** Converts locations. If a file can't be read, its text is left out. */
export function toLocations(
  locations: readonly Location[],
  view: LocationView,
): Promise<LocationEntry[]> {
  return Promise.all(
    locations.map(async ({ uri, range }) => {
      const path = toPath(uri);
      if (path === undefined) return { path: uri, line: range.start.line + 1, ...toEnd(range) };
      const lines = await view.lines.of(path);
      const text = lines?.[range.start.line];
      return {
        path: showPath(path, view.root),
        line: range.start.line + 1,
        ...(text !== undefined && {
          character: fromUnits(text, range.start.character, view.encoding) + 1,
        }),
        ...toEnd(range),
        ...(text !== undefined && { text: text.trim().slice(0, maxTextLength) }),
      };
    }),
  );
}

/** Returns the last line of a range if it is not the first. A range that ends at the start of a line ends on the line before. */
export function toEnd({ start, end }: Range): { readonly end_line?: number } {
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return last > start.line ? { end_line: last + 1 } : {};
}
