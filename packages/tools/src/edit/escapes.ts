/** Undoes one way in which a model may have escaped a text too often or too rarely. */
export interface EscapeRepair {
  apply(text: string): string;
  /** Repairs a new text as far as it has the faults of the old one. */
  applyLike(oldText: string, newText: string): string;
}

/**
 * The repairs to try, each by itself. The one that makes the old text match is applied to the new one
 * if that was escaped in the same way. A model that forgets to escape may do so for one kind of
 * character, and the others must stay unchanged.
 */
export const escapeRepairs: readonly EscapeRepair[] = [
  // Escaped too often.
  unescaping(/\\(u[0-9a-fA-F]{4}|["'`nrt/$\\])/gu),
  unescaping(/\\(["'`])/gu),
  unescaping(/\\([nrt])/gu),
  unescaping(/\\(\\)/gu),
  unescaping(/&(amp|lt|gt|quot|apos|#39|#x27);/gu),
  // Escaped too rarely.
  escaping(/[\n\r\t]/gu),
  escaping(/"/gu),
  escaping(/'/gu),
  escaping(/`/gu),
  escaping(/\\/gu),
  escaping(/["\n\r\t\\]/gu),
  escaping(/['\n\r\t\\]/gu),
];

const plain = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["#39", "'"],
  ["#x27", "'"],
]);
const escaped = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

function unescaping(pattern: RegExp): EscapeRepair {
  const toPlain = (_: string, name: string): string =>
    name.length === 5 && name.startsWith("u")
      ? String.fromCharCode(Number.parseInt(name.slice(1), 16))
      : (plain.get(name) ?? name);
  const kindsIn = (text: string): string[] =>
    [...text.matchAll(pattern)].map(([all, name]) => toPlain(all, name as string));
  const apply = (text: string): string => text.replace(pattern, toPlain);
  return {
    apply,
    applyLike: (oldText, newText) => {
      // A character that is escaped in one place and plain in another is meant as it stands.
      const rest = newText.replace(pattern, "");
      const kinds = [...kindsIn(oldText), ...kindsIn(newText)];
      return kinds.some((kind) => rest.includes(kind)) ? newText : apply(newText);
    },
  };
}

function escaping(pattern: RegExp): EscapeRepair {
  const toEscaped = (character: string): string => escaped.get(character) ?? `\\${character}`;
  return {
    apply: (text) => text.replace(pattern, toEscaped),
    applyLike: (oldText, newText) => {
      const kinds = new Set(oldText.match(pattern));
      if ([...kinds].some((kind) => newText.includes(toEscaped(kind)))) return newText;
      return newText.replace(pattern, (sign) => (kinds.has(sign) ? toEscaped(sign) : sign));
    },
  };
}
