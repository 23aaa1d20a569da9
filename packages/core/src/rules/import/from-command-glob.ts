import { type CommandGlobWord, readCommandGlob } from "./command-glob-words.ts";
import type { ImportedPattern, Leaning } from "./imported-rules.ts";

/**
 * What a pattern on whole command lines, in which `*` stands for any characters, is as a pattern on
 * the words of each command. Ours have no end: what may not go on is bounded by a second pattern.
 */
export function fromCommandGlob(text: string, leaning: Leaning): ImportedPattern {
  // Others look at the whole line, and need a star before what may stand behind `&&`.
  const inside = text.trim().replace(/^\*+(?=\s)/u, "");
  if (inside.replaceAll("*", "").trim() === "") return { patterns: ["*"] };
  return leaning === "narrower" ? narrow(inside) : widen(inside, text);
}

function narrow(text: string): ImportedPattern {
  const { words, setsVariables, isCut } = readCommandGlob(text);
  if (setsVariables) return skip("a rule can't name variables that are set for a command");
  if (isCut || words.length === 0) {
    return skip("it is more than plain words; each command in it needs a rule of its own");
  }
  if (words[0]?.pattern.startsWith("-")) return skip("a rule starts with the program");
  const isOpen = endsOpen(words);
  const pattern = spell(words);
  const note = words.slice(0, -1).some(({ stars }) => stars !== "none")
    ? "a star inside stays in its word here"
    : undefined;
  return {
    patterns: [pattern],
    // One more word at least: the rule itself fits them too, and this one spells out more.
    ...(isOpen ? {} : { bounds: [`${pattern} * *`] }),
    ...(note === undefined ? {} : { note }),
  };
}

function widen(text: string, whole: string): ImportedPattern {
  const { words, setsVariables, isCut } = readCommandGlob(text);
  const isOpen = endsOpen(words);
  const named = words.at(-1)?.stars === "only" ? words.slice(0, -1) : words;
  const kept = untilStar(named);
  if (kept.length === 0 || kept[0]?.pattern.startsWith("-")) {
    return { patterns: ["*"], note: "it can't be told by its words, so the rule holds for all" };
  }
  const pattern = spell(kept);
  const isWider = setsVariables || isCut || pattern !== spell(named) || !isOpen;
  const notes = [
    ...(isWider ? [`the rule holds for everything that starts with "${pattern}"`] : []),
    ...(whole.trim().startsWith("*")
      ? ["the rule holds where this would run, not where it is only mentioned"]
      : []),
  ];
  return { patterns: [pattern], ...(notes.length === 0 ? {} : { note: notes.join("; ") }) };
}

// Up to where a star could stand for several words: from there on anything fits.
function untilStar(words: readonly CommandGlobWord[]): readonly CommandGlobWord[] {
  const at = words.findIndex(
    ({ stars }, index) => stars !== "none" && !(stars === "start" && index === 0),
  );
  if (at < 0) return words;
  const [head = ""] = (words[at] as CommandGlobWord).pattern.split("*", 1);
  const before = words.slice(0, at);
  // Of a quoted word no half is left that could be read.
  const isHalf = head !== "" && !/["\\]/u.test(head);
  return isHalf ? [...before, { pattern: `${head}*`, stars: "end" }] : before;
}

function endsOpen(words: readonly CommandGlobWord[]): boolean {
  const last = words.at(-1)?.stars;
  return last === "only" || last === "end" || last === "both";
}

function spell(words: readonly CommandGlobWord[]): string {
  return words.map(({ pattern }) => pattern).join(" ");
}

function skip(why: string): ImportedPattern {
  return { patterns: undefined, why };
}
