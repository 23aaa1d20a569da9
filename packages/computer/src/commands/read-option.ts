import type { OptionEntry, ProgramEntry } from "./programs/program-entry.ts";

/** An option as it stands in a word. */
export interface SeenOption {
  readonly name: string;
  /** Its table entry; `undefined` if it is not known. */
  readonly option: OptionEntry | undefined;
  /** Its value, if that is in the same word. */
  readonly attached: string | undefined;
}

/** Returns the options in a word that starts with a dash: one, or several combined letters. */
export function readOption(word: string, entry: ProgramEntry): readonly SeenOption[] {
  if (word.startsWith("--") || entry.marks.has("dashed")) return [readLong(word, entry)];
  const seen: SeenOption[] = [];
  for (let at = 1; at < word.length; at++) {
    const letter = word[at] as string;
    const name = isDigit(letter) && entry.options.has("-#") ? "-#" : `-${letter}`;
    const option = entry.options.get(name);
    const rest = word.slice(at + 1);
    const takesRest = option !== undefined && option.value !== "none" && rest !== "";
    seen.push({ name, option, attached: takesRest ? rest : undefined });
    if (takesRest) break;
  }
  return seen;
}

function readLong(word: string, entry: ProgramEntry): SeenOption {
  const equals = word.indexOf("=");
  const name = equals < 0 ? word : word.slice(0, equals);
  const attached = equals < 0 ? undefined : word.slice(equals + 1);
  return { name, option: entry.options.get(name) ?? findAbbreviated(name, entry), attached };
}

// Many programs accept abbreviated options.
function findAbbreviated(name: string, entry: ProgramEntry): OptionEntry | undefined {
  const whole = entry.risky.find((risky) => risky.startsWith(name));
  return whole === undefined ? undefined : entry.options.get(whole);
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9";
}
