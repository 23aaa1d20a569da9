import { toComparable } from "./comparable-lines.ts";
import type { Misfit, Surroundings } from "./hunk-position.ts";

/** Returns the lines where the last anchor of a hunk may be; several if the anchors are ambiguous. */
export function findAnchors(
  anchors: readonly string[],
  { file, from }: Surroundings,
): { readonly places: readonly number[] } | Misfit {
  let places: readonly number[] = [];
  for (const [index, anchor] of anchors.entries()) {
    const lines = findLike(anchor, file.texts);
    if (index === 0) {
      const ahead = lines.filter((line) => line >= from);
      // Several hunks may follow the same anchor.
      places = ahead.length > 0 ? ahead : lines.slice(-1);
    } else {
      const next = places.map((place) => lines.find((line) => line > place));
      places = [...new Set(next.filter((line) => line !== undefined))];
    }
    if (places.length === 0) return { reason: "no-anchor", places, anchor };
  }
  return { places };
}

/** Anchors are often written without the indentation of their line. */
function findLike(anchor: string, texts: readonly string[]): number[] {
  for (const toForm of forms) {
    const wanted = toForm(anchor);
    const found: number[] = [];
    for (const [line, text] of texts.entries()) if (toForm(text) === wanted) found.push(line);
    if (found.length > 0) return found;
  }
  return findBeginning(anchor.trim(), texts);
}

/** Finds lines by their beginning, such as `def name` for `def name(self):`. */
function findBeginning(anchor: string, texts: readonly string[]): number[] {
  if (anchor.length < minBeginning) return [];
  return [...texts.keys()].filter((line) => {
    const text = (texts[line] as string).trimStart();
    // A name must not go on: `def get` is not `def get_all`.
    return (
      text.startsWith(anchor) && !/^\w\w/u.test((anchor.at(-1) ?? "") + (text[anchor.length] ?? ""))
    );
  });
}

const minBeginning = 3;

const forms: readonly ((text: string) => string)[] = [
  (text) => toComparable(text, "line-endings"),
  (text) => text.trim(),
  (text) => toComparable(text, "unicode").trim(),
];
