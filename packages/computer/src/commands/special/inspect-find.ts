import type { ReadWord } from "@haft/core";
import type { Inspector } from "./inspector.ts";

/** Takes out the commands that find would run on what it finds. */
export const inspectFind: Inspector = (_, { words }) => {
  const inner: (readonly ReadWord[])[] = [];
  for (let at = 1; at < words.length; at++) {
    if (!runners.has(words[at] ?? "")) continue;
    const end = findEnd(words, at + 1);
    if (end > at + 1) inner.push(words.slice(at + 1, end).map(replaced));
    at = end;
  }
  return { inner };
};

const runners: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

function findEnd(words: readonly ReadWord[], start: number): number {
  for (let at = start; at < words.length; at++) {
    if (words[at] === ";" || (words[at] === "+" && words[at - 1] === "{}")) return at;
  }
  return words.length;
}

function replaced(word: ReadWord): ReadWord {
  return word?.includes("{}") ? undefined : word;
}
