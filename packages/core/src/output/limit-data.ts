import type { JsonValue, OutputLimit } from "@haft/contract";
import { utf8Head, utf8Length } from "@haft/contract/internal";
import { isPicture } from "./is-picture.ts";

/** Data that fits its limit, and the whole as text if it was cut. */
export interface LimitedData {
  readonly data: JsonValue;
  readonly whole: string | undefined;
}

/** The limit of tools that do not set one. */
export const defaultLimit: OutputLimit = { bytes: 100 * 1024 };

// Room for the fields other than the one that a tool's limit names.
const restBytes = 100 * 1024;
const entriesBytes = 1024 * 1024;
const maxPictureBytes = 8 * 1024 * 1024;

/** Returns the number of bytes below which data always fits its limit. 0 if entries are counted. */
export function certainFit(limit: OutputLimit): number {
  return "entries" in limit ? 0 : limit.bytes;
}

/** Cuts data to a limit: the named field if there is one, otherwise the whole to `{ head }`. */
export function limitData(data: JsonValue, limit: OutputLimit): LimitedData {
  const field = limit.field === undefined ? undefined : limitField(data, limit, limit.field);
  const limited = field ?? { data, whole: undefined };
  const room = wholeLimit(limit);
  if (measure(limited.data) <= room) return limited;
  const whole = typeof data === "string" ? data : JSON.stringify(data, undefined, 2);
  return { data: { head: utf8Head(whole, room) }, whole };
}

/** Measures data in bytes. Images count only beyond `maxPictureBytes`. */
function measure(data: JsonValue): number {
  if (typeof data === "string") return utf8Length(data);
  let pictures = 0;
  const text = JSON.stringify(data, function (this: Readonly<Record<string, unknown>>, key, value) {
    if (key !== "data" || !isPicture(this)) return value;
    pictures += (value as string).length;
    return "";
  });
  return utf8Length(text) + Math.max(0, pictures - maxPictureBytes);
}

function limitField(data: JsonValue, limit: OutputLimit, field: string): LimitedData | undefined {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return undefined;
  const value = (data as Readonly<Record<string, JsonValue>>)[field];
  if ("entries" in limit) {
    if (!Array.isArray(value) || value.length <= limit.entries) return undefined;
    const kept = value.slice(0, limit.entries);
    return { data: { ...data, [field]: kept }, whole: value.map(toLine).join("\n") };
  }
  if (typeof value !== "string" || utf8Length(value) <= limit.bytes) return undefined;
  return { data: { ...data, [field]: utf8Head(value, limit.bytes) }, whole: value };
}

function wholeLimit(limit: OutputLimit): number {
  if ("entries" in limit) return entriesBytes;
  return limit.field === undefined ? limit.bytes : limit.bytes * 2 + restBytes;
}

function toLine(entry: JsonValue): string {
  return typeof entry === "string" ? entry : JSON.stringify(entry);
}
