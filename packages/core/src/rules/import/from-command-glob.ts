import { type CommandGlobWord, readCommandGlob } from "./command-glob-words.ts";
import type { ImportedPattern, Leaning } from "./imported-rules.ts";

/**
 * Converts a pattern for whole command lines, in which `*` stands for any characters, to a pattern for
 * the words of each command. Haft's patterns match prefixes, so a second pattern bounds an exact one.
 */
export function fromCommandGlob(text: string, leaning: Leaning): ImportedPattern {
  // Other programs match the whole line and need a leading star for commands after `&&`.
  const inside = text.trim().replace(/^\*+(?=\s)/u, "");
  if (inside.replaceAll("*", "").trim() === "") return { patterns: ["*"] };
  return leaning === "narrower" ? narrow(inside) : widen(inside, text);
}

function narrow(text: string): ImportedPattern {
  const { words, setsVariables, isCut } = readCommandGlob(text);
  if (setsVariables) return skip("a rule can't name variables that are set for a command");
  if (isCut || words.length === 0) {
    return skip("it is more than plain words; each of its commands needs its own rule");
  }
  if (words[0]?.pattern.startsWith("-")) return skip("a rule must start with the program");
  const isOpen = endsOpen(words);
  const pattern = spell(words);
  const note = words.slice(0, -1).some(({ stars }) => stars !== "none")
    ? "in Haft, a star inside a word matches only within the word"
    : undefined;
  return {
    patterns: [pattern],
    // Matches at least one more word, and is more specific than the rule itself.
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
    return {
      patterns: ["*"],
      note: "it can't be expressed by words, so the rule applies to all commands",
    };
  }
  const pattern = spell(kept);
  const isWider = setsVariables || isCut || pattern !== spell(named) || !isOpen;
  const notes = [
    ...(isWider ? [`the rule applies to everything that starts with "${pattern}"`] : []),
    ...(whole.trim().startsWith("*")
      ? ["the rule applies where this runs, not where it is only mentioned"]
      : []),
  ];
  return { patterns: [pattern], ...(notes.length === 0 ? {} : { note: notes.join("; ") }) };
}

// Up to the first star that could stand for several words, because from there on anything matches.
function untilStar(words: readonly CommandGlobWord[]): readonly CommandGlobWord[] {
  const at = words.findIndex(
    ({ stars }, index) => stars !== "none" && !(stars === "start" && index === 0),
  );
  if (at < 0) return words;
  const [head = ""] = (words[at] as CommandGlobWord).pattern.split("*", 1);
  const before = words.slice(0, at);
  // Half of a quoted word can't be parsed.
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
