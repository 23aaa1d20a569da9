/** Undoes a way in which a model may have escaped a text once too often or too little. */
export type EscapeRepair = (text: string) => string;

/**
 * What to try, each by itself: what fits the old text is then done to the new one. A model that
 * escapes twice does it everywhere, so all escapes come before some of them; one that forgets to
 * escape may do so for one kind of character, and the others must stay as they are.
 */
export const escapeRepairs: readonly EscapeRepair[] = [
  // Too often.
  unescaping(/\\(u[0-9a-fA-F]{4}|["'`nrt/$\\])/gu),
  unescaping(/\\(["'`])/gu),
  unescaping(/\\([nrt])/gu),
  unescaping(/\\(\\)/gu),
  unescaping(/&(amp|lt|gt|quot|apos|#39|#x27);/gu),
  // Too little.
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
  return (text) =>
    text.replace(pattern, (_, name: string) =>
      name.length === 5 && name.startsWith("u")
        ? String.fromCharCode(Number.parseInt(name.slice(1), 16))
        : (plain.get(name) ?? name),
    );
}

function escaping(pattern: RegExp): EscapeRepair {
  return (text) => text.replace(pattern, (character) => escaped.get(character) ?? `\\${character}`);
}
