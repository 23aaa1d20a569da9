import type { JsonValue } from "@haft/contract";
import {
  countFitting,
  isPlainObject,
  type TextLimit,
  utf8Head,
  utf8Length,
  utf8Tail,
} from "@haft/contract/internal";
import { isPicture } from "./is-picture.ts";
import type { LimitedData } from "./limit-data.ts";

/** Returns a call's limit as settings for its tool, which knows best where to end its text or list. */
export function toRoomSettings(limit: TextLimit): Readonly<Record<string, number>> {
  const { bytes, lines } = toRoom(limit);
  return { max_bytes: bytes, ...(lines !== undefined && { max_lines: lines }) };
}

/**
 * Cuts data so that it fits a limit as text. A long text loses its middle and a long list its end;
 * the other fields, such as an exit code, stay.
 */
export function fitData(data: JsonValue, limit: TextLimit): LimitedData {
  const room = toRoom(limit);
  if (typeof data === "string") return fitText(data, limit);
  if (Array.isArray(data)) return fitList(data, room);
  if (!isPlainObject(data) || isPicture(data)) return { data, whole: undefined };
  const sizes = Object.entries(data).map(([key, value]) => [key, measure(value)] as const);
  const [largest] = sizes.toSorted(([, one], [, other]) => other - one);
  if (largest === undefined) return { data, whole: undefined };
  const [key, size] = largest;
  const rest = sizes.reduce((sum, [name, bytes]) => sum + bytes + name.length + 4, -size);
  const main = (data as Readonly<Record<string, JsonValue>>)[key] as JsonValue;
  const left = { ...room, bytes: Math.min(room.bytes, limit.bytes - rest) };
  const isCuttable = typeof main === "string" || Array.isArray(main);
  if (left.bytes < minBytes || !isCuttable) return fitWhole(data, limit, rest + size);
  const fitted = typeof main === "string" ? fitText(main, left) : fitList(main, left);
  if (fitted.whole === undefined) return { data, whole: undefined };
  // A list whose first entry does not fit is shown as one text.
  const isText = typeof main !== "string" && typeof fitted.data === "string";
  if (!isText) return { data: { ...data, [key]: fitted.data }, whole: fitted.whole };
  const { [key]: _list, ...others } = data as Record<string, JsonValue>;
  return { data: { ...others, head: fitted.data }, whole: fitted.whole };
}

// Room for the facts above the text and the notes below it.
const reservedBytes = 1024;
const reservedLines = 20;
// With less room than this for its largest part, data is cut as a whole.
const minBytes = 256;

function toRoom({ bytes, lines }: TextLimit): TextLimit {
  return {
    bytes: Math.max(bytes - reservedBytes, Math.ceil(bytes / 2)),
    ...(lines !== undefined && { lines: Math.max(lines - reservedLines, Math.ceil(lines / 2)) }),
  };
}

function fitWhole(data: JsonValue, limit: TextLimit, size: number): LimitedData {
  if (size <= limit.bytes) return { data, whole: undefined };
  const whole = JSON.stringify(data, undefined, 2);
  return { data: { head: fitText(whole, toRoom(limit)).data }, whole };
}

function fitList(list: readonly JsonValue[], room: TextLimit): LimitedData {
  const pictures = list.filter((entry) => isPlainObject(entry) && isPicture(entry));
  const texts = pictures.length === 0 ? list : list.filter((entry) => !pictures.includes(entry));
  const count = countFitting(texts, room);
  if (count === texts.length) return { data: [...list], whole: undefined };
  const whole = texts.map(toText).join("\n");
  if (count === 0 && pictures.length === 0) return { data: fitText(whole, room).data, whole };
  return { data: [...texts.slice(0, count), ...pictures], whole };
}

function fitText(text: string, { bytes, lines }: TextLimit): LimitedData {
  const isShort = text.length * 3 <= bytes || utf8Length(text) <= bytes;
  const all = lines === undefined ? [] : text.split("\n");
  const hasFewLines = lines === undefined || all.length <= lines;
  if (isShort && hasFewLines) return { data: text, whole: undefined };
  let head = text;
  let tail = text;
  if (!hasFewLines) {
    head = all.slice(0, Math.floor(lines / 2)).join("\n");
    tail = all.slice(-Math.floor(lines / 2)).join("\n");
  }
  const half = Math.floor((bytes - gapBytes) / 2);
  head = utf8Head(head, Math.max(0, half));
  tail = utf8Tail(tail, Math.max(0, half));
  const missing = utf8Length(text) - utf8Length(head) - utf8Length(tail);
  const gap = `[… ${missing} bytes left out here; the whole is at the path in output_path …]`;
  return { data: `${head}\n${gap}\n${tail}`, whole: text };
}

const gapBytes = 100;

function measure(value: JsonValue): number {
  if (typeof value === "string") return utf8Length(value);
  const text = JSON.stringify(value, function (this: unknown, key, member) {
    return key === "data" && isPlainObject(this) && isPicture(this) ? "" : member;
  });
  return utf8Length(text);
}

function toText(entry: JsonValue): string {
  if (typeof entry === "string") return entry;
  const isPlainText = isPlainObject(entry) && entry.type === "text";
  return isPlainText && typeof entry.text === "string" ? entry.text : JSON.stringify(entry);
}
