import type { JsonValue } from "@haft/contract";
import type { AskEffects, AskedChange } from "./host.ts";

// Characters that make a terminal show something else than the text: control and format characters
// (bidirectional, zero-width, tags), line separators, lone surrogates, fillers, and variation
// selectors except the one of emoji.
const deceptive = /(?!\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Makes text safe to show in a terminal: deceptive characters are replaced by their code. */
export function toVisibleText(text: string): string {
  return text.replace(deceptive, (character) =>
    character === "\n" || character === "\t" ? character : escapeCharacter(character),
  );
}

/** Like `toVisibleText`, with line breaks replaced too. */
export function toVisibleLine(text: string): string {
  return toVisibleText(text).replaceAll("\n", "\\u{a}");
}

/** Escapes deceptive characters in JSON text. The value stays the same. */
export function toVisibleJson(json: string): string {
  return json.replace(deceptive, (character) =>
    character === "\n" ? character : escapeForJson(character),
  );
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) as number).toString(16)}}`;
}

function escapeForJson(character: string): string {
  let escaped = "";
  for (let at = 0; at < character.length; at++) {
    escaped += `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
  }
  return escaped;
}

/**
 * Formats the arguments of a call as lines for a person, with deceptive characters made visible. Lines
 * of a text and continuations of long lines start with a mark, so that no text can pass for a part of
 * the question, wherever a terminal breaks it.
 */
export function showArguments(args: JsonValue): string[] {
  return listLines(args).flatMap((line) => wrap(toVisibleLine(line)));
}

const maxDiffLines = 200;

/** Formats changes that wait for approval as lines for a person: the list, then the diff. */
export function showChanges({ changes, total, diff }: AskEffects): string[] {
  const list = changes.map((change) => toVisibleLine(`  ${describeChange(change)}`));
  const shown = changes.reduce((sum, { files = 1 }) => sum + files, 0);
  if (shown < total) list.push(`  … and ${total - shown} more`);
  if (diff === "") return list;
  const lines = showArguments({ diff: diff.trimEnd() });
  const left = lines.length - maxDiffLines;
  return [
    ...list,
    "",
    ...lines.slice(0, maxDiffLines),
    ...(left > 0 ? [`  … ${left} more lines`] : []),
  ];
}

/** Formats a change as one line. */
export function describeChange({ path, kind, files }: AskedChange): string {
  const inside = files === undefined ? "" : `/ (${files} files)`;
  return `${kind.padEnd(8)}  ${path}${inside}`;
}

function listLines(args: JsonValue): string[] {
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    return [JSON.stringify(args)];
  }
  return Object.entries(args).flatMap(([name, value]) => {
    if (typeof value !== "string") return [`  ${name}: ${JSON.stringify(value)}`];
    if (!/[\n\r]/u.test(value)) return [`  ${name}: ${value}`];
    return [`  ${name}:`, ...value.split("\n").map((line) => `    | ${line}`)];
  });
}

const maxLineLength = 120;

function wrap(line: string): string[] {
  if (line.length <= maxLineLength) return [line];
  const pieces = line.match(new RegExp(`.{1,${maxLineLength}}`, "gsu")) ?? [];
  return pieces.map((piece, index) => (index === 0 ? piece : `    ¦ ${piece}`));
}
