import { toShellPattern } from "../shell-pattern.ts";

/** The words of a command line in which `*` stands for any characters. */
export interface CommandGlobWords {
  readonly words: readonly CommandGlobWord[];
  /** Variables are set before the program. */
  readonly setsVariables: boolean;
  /** What comes after these words is more than plain words: an operator, a variable, an expansion. */
  readonly isCut: boolean;
}

/** One word of it. */
export interface CommandGlobWord {
  /** As a rule spells it. */
  readonly pattern: string;
  /** Where it has stars: it is nothing else, at its start, its end, both, or inside. */
  readonly stars: "none" | "only" | "start" | "end" | "both" | "inside";
}

// What the shell takes as it stands, alone or in quotes. A star in quotes could be meant either way.
const plainWord = /\s*((?!~)(?:"[^"$`\\*\n]*"|'[^'*\n]*'|[^\s"'$`\\|&;<>(){}#?[\]]|(?<=\S)#)+)/uy;

/** Takes a command line apart as far as it is plain words. */
export function readCommandGlob(text: string): CommandGlobWords {
  const words: CommandGlobWord[] = [];
  let at = 0;
  for (;;) {
    plainWord.lastIndex = at;
    const [whole, word] = plainWord.exec(text) ?? [];
    if (whole === undefined || word === undefined) break;
    const rest = text.slice(at + whole.length);
    // A word that goes on with something else is not understood as a whole.
    if (/^[^\s|&;<>]/u.test(rest)) break;
    words.push(toWord(word));
    at += whole.length;
  }
  const first = words.findIndex(({ pattern }) => !/^[A-Za-z_]\w*=/u.test(pattern));
  return {
    words: first < 0 ? [] : words.slice(first),
    setsVariables: first !== 0 && words.length > 0,
    isCut: text.slice(at).trim() !== "",
  };
}

function toWord(word: string): CommandGlobWord {
  const plain = word.replaceAll(
    /"([^"]*)"|'([^']*)'/gu,
    (_, double: string | undefined, single: string | undefined) => double ?? single ?? "",
  );
  const parts = plain.split(/\*+/u);
  const pattern = parts
    .map((part) => (part === "" && parts.length > 1 ? "" : toShellPattern([part])))
    .join("*");
  return { pattern, stars: findStars(parts) };
}

function findStars(parts: readonly string[]): CommandGlobWord["stars"] {
  if (parts.length === 1) return "none";
  if (parts.every((part) => part === "")) return "only";
  const startsOpen = parts[0] === "";
  const endsOpen = parts.at(-1) === "";
  if (parts.length === 3 && startsOpen && endsOpen) return "both";
  if (parts.length > 2) return "inside";
  return endsOpen ? "end" : startsOpen ? "start" : "inside";
}
