import { resolve } from "node:path";
import type { ToolCallLocation } from "@agentclientprotocol/sdk";
import type { JsonValue, ToolResult } from "@haft/contract";
import { pathKeys } from "./path-keys.ts";

/** How paths of a session become those of its client. */
export interface LocationPlace {
  readonly cwd: string;
  /** The client's spelling of an absolute path. */
  show(path: string): string;
}

const mostLocations = 50;
const ends: readonly string[] = ["from", "to"];

/** The places that a call is about, as its arguments tell. */
export function toArgumentLocations(given: JsonValue, place: LocationPlace): ToolCallLocation[] {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return [];
  const fields = given as Record<string, JsonValue>;
  const line = toLine(fields.offset);
  return [...pathKeys, ...ends].flatMap((key) => {
    const value = fields[key];
    if (typeof value !== "string" || value === "" || value.startsWith("~")) return [];
    return [toLocation(value, line, place)];
  });
}

/** The places that a call turned out to be about: what it changed, found or showed. */
export function toResultLocations(result: ToolResult, place: LocationPlace): ToolCallLocation[] {
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
    .slice(0, mostLocations);
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
  { cwd, show }: LocationPlace,
): ToolCallLocation {
  const shown = show(resolve(cwd, path));
  return line === undefined ? { path: shown } : { path: shown, line };
}
