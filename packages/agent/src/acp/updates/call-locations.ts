import { resolve } from "node:path";
import type { ToolCallLocation } from "@agentclientprotocol/sdk";
import type { JsonValue, ToolResult } from "@haft/contract";
import { pathKeys } from "./path-keys.ts";

/** How to convert the paths of a session to those of its client. */
export interface LocationContext {
  readonly cwd: string;
  /** Returns the client's spelling of an absolute path. */
  show(path: string): string;
}

const maxLocations = 50;
const ends: readonly string[] = ["from", "to"];

/** Returns the locations in a call's arguments. */
export function toArgumentLocations(given: JsonValue, place: LocationContext): ToolCallLocation[] {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return [];
  const fields = given as Record<string, JsonValue>;
  const line = toLine(fields.offset);
  return [...pathKeys, ...ends].flatMap((key) => {
    const value = fields[key];
    if (typeof value !== "string" || value === "" || value.startsWith("~")) return [];
    return [toLocation(value, line, place)];
  });
}

/** Returns the locations in a call's result: files that it changed, found or read. */
export function toResultLocations(result: ToolResult, place: LocationContext): ToolCallLocation[] {
  const data = result.type === "output" ? asFields(result.data) : {};
  const own = typeof data.path === "string" ? [{ path: data.path, line: toFirstLine(data) }] : [];
  const matches = Array.isArray(data.matches) ? data.matches.map(asFields) : [];
  const found = matches.flatMap(({ path, line }) =>
    typeof path === "string" ? [{ path, line: toLine(line) }] : [],
  );
  const changed = (result.metadata.track_files ?? []).map((path) => ({ path, line: undefined }));
  const all = [...own, ...found, ...changed].map(({ path, line }) => toLocation(path, line, place));
  return all
    .filter(({ path }, index) => all.findIndex((other) => other.path === path) === index)
    .slice(0, maxLocations);
}

type Fields = Readonly<Record<string, unknown>>;

function asFields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function toFirstLine({ start_line, line_range }: Fields): number | undefined {
  return toLine(start_line ?? (Array.isArray(line_range) ? line_range[0] : undefined));
}

function toLine(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;
}

function toLocation(
  path: string,
  line: number | undefined,
  { cwd, show }: LocationContext,
): ToolCallLocation {
  const shown = show(resolve(cwd, path));
  return line === undefined ? { path: shown } : { path: shown, line };
}
