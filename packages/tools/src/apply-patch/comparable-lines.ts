import { foldUnicode } from "../edit/fold-unicode.ts";
import { BlockFinder } from "./block-finder.ts";
import type { FileLines } from "./file-lines.ts";

/** How the lines of a hunk were compared with those of a file, strictest first. */
export type Strategy = Comparison | "indentation";

/** How single lines are compared. */
export type Comparison = "exact" | "line-endings" | "trailing-space" | "unicode";

/** All comparisons. Each is tried only if the one before finds nothing. */
export const comparisons: readonly Comparison[] = [
  "exact",
  "line-endings",
  "trailing-space",
  "unicode",
];

/** All strategies. With the last one, all lines of a hunk are indented otherwise in the same way. */
export const strategies: readonly Strategy[] = [...comparisons, "indentation"];

/** The lines of a file in the form in which each strategy compares them. */
export class ComparableLines {
  readonly #file: FileLines;
  readonly #blocks = new Map<Comparison, BlockFinder>();

  constructor(file: FileLines) {
    this.#file = file;
  }

  /** Returns every line at which a block in this strategy's form starts. */
  find(block: readonly string[], strategy: Comparison): readonly number[] {
    let finder = this.#blocks.get(strategy);
    if (finder === undefined) {
      finder = new BlockFinder(this.#make(strategy));
      this.#blocks.set(strategy, finder);
    }
    return finder.find(block);
  }

  #make(strategy: Comparison): readonly string[] {
    const { texts, endings } = this.#file;
    if (strategy === "line-endings") return texts;
    if (strategy !== "exact") return texts.map((text) => toComparable(text, strategy));
    if (!endings.includes("\r\n")) return texts;
    return texts.map((text, at) => (endings[at] === "\r\n" ? `${text}\r` : text));
  }
}

/** Converts a line of a patch to the form in which a strategy compares it. */
export function toComparable(text: string, strategy: Comparison): string {
  if (strategy === "exact") return text;
  if (strategy === "line-endings") return text.endsWith("\r") ? text.slice(0, -1) : text;
  const trimmed = text.trimEnd();
  return strategy === "unicode" ? foldUnicode(trimmed).text.trimEnd() : trimmed;
}
