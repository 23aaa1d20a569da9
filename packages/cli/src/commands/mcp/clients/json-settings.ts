import type { JsonValue } from "@haft/contract";
import { parseCommentedJson } from "@haft/core/internal";
import { type LocatedInside, type LocatedValue, locateJson } from "./locate-json.ts";
import type { SettingsFormat } from "./settings-format.ts";

/** JSON settings with comments and trailing commas. */
export const jsonSettings: SettingsFormat = {
  read: (text) => (isBlank(text) ? {} : parseCommentedJson(text)),
  set: (text, keys, entry) => {
    const root = isBlank(text) ? undefined : locateJson(text);
    if (root === undefined) {
      const gap = text === "" || text.endsWith("\n") ? "" : "\n";
      return `${text}${gap}${JSON.stringify(nest(keys, entry), undefined, 2)}\n`;
    }
    return setIn({ text, layout: readLayout(text) }, root, { keys, entry });
  },
};

interface Source {
  readonly text: string;
  readonly layout: Layout;
}

/** The layout of the text. */
interface Layout {
  readonly lineEnd: string;
  readonly indent: string;
}

interface Setting {
  readonly keys: readonly string[];
  readonly entry: JsonValue;
}

function setIn(source: Source, object: LocatedValue, { keys, entry }: Setting): string {
  const [key = "", ...rest] = keys;
  if (object.inside === undefined)
    throw new Error(`the parent of ${JSON.stringify(key)} is not an object`);
  // Of two members with the same name, the later one applies.
  const member = object.inside.members.findLast((one) => one.key === key);
  if (member === undefined) {
    return insert(source, object as LocatedObject, { key, value: nest(rest, entry) });
  }
  if (rest.length > 0) return setIn(source, member.value, { keys: rest, entry });
  const { start, end } = member.value;
  const margin = hasLines(source, object) ? marginOf(source.text, member.start) : undefined;
  return splice(source.text, start, { end, piece: format(entry, source.layout, margin) });
}

type LocatedObject = LocatedValue & { readonly inside: LocatedInside };

interface Member {
  readonly key: string;
  readonly value: JsonValue;
}

// The new member comes last, on its own lines if the others are.
function insert(source: Source, object: LocatedObject, { key, value }: Member): string {
  const { text, layout } = source;
  const { members, end, endsWithComma } = object.inside;
  const last = members.at(-1);
  const name = JSON.stringify(key);
  if (last !== undefined && !hasLines(source, object)) {
    const piece = `${endsWithComma ? "" : ","} ${name}: ${format(value, layout, undefined)}`;
    return splice(text, end, { end, piece });
  }
  const outer = marginOf(text, object.start);
  const margin = last === undefined ? outer + layout.indent : marginOf(text, last.start);
  const lines = `${layout.lineEnd}${margin}${name}: ${format(value, layout, margin)}`;
  if (last === undefined) {
    const closes = `${layout.lineEnd}${outer}`;
    return splice(text, end, { end: object.end - 1, piece: `${lines}${closes}` });
  }
  const added = splice(text, end, { end, piece: endsWithComma ? `${lines},` : lines });
  const comma = last.value.end;
  return endsWithComma ? added : splice(added, comma, { end: comma, piece: "," });
}

function hasLines({ text }: Source, { start, end }: LocatedValue): boolean {
  return text.slice(start, end).includes("\n");
}

// Without a margin the value stays on one line.
function format(value: JsonValue, layout: Layout, margin: string | undefined): string {
  if (margin === undefined) return JSON.stringify(value);
  return JSON.stringify(value, undefined, layout.indent).replaceAll(
    "\n",
    `${layout.lineEnd}${margin}`,
  );
}

// The white space at the beginning of the line of a position.
function marginOf(text: string, position: number): string {
  const line = text.slice(text.lastIndexOf("\n", position - 1) + 1, position);
  return /^[\t ]*/u.exec(line)?.[0] ?? "";
}

function readLayout(text: string): Layout {
  return {
    lineEnd: text.includes("\r\n") ? "\r\n" : "\n",
    indent: /\n([\t ]+)"/u.exec(text)?.[1] ?? "  ",
  };
}

function nest(keys: readonly string[], entry: JsonValue): JsonValue {
  return keys.reduceRight<JsonValue>((value, key) => ({ [key]: value }), entry);
}

function splice(
  text: string,
  start: number,
  { end, piece }: { readonly end: number; readonly piece: string },
): string {
  return text.slice(0, start) + piece + text.slice(end);
}

function isBlank(text: string): boolean {
  return text.replaceAll(/\/\/[^\n\r]*|\/\*.*?\*\//gsu, "").trim() === "";
}
