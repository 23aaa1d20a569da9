import { outlineFirst } from "./outlines/first-outline.ts";
import { isSameOutline } from "./outlines/outline.ts";
import { outlineSecond } from "./outlines/second-outline.ts";
import { parseSecond } from "./outlines/second-parser.ts";
import type { ReadingDraft, SourceText } from "./reading-draft.ts";

/** Has a second parser read the same, and doubts the reading unless it saw the same. */
export function confirmReading(draft: ReadingDraft): void {
  for (const source of draft.sources) {
    const objection = confirm(source);
    if (objection === undefined) continue;
    draft.doubt(objection);
    if (objection === disagreement) draft.loosen();
    return;
  }
}

const disagreement = "the readers disagree on it";

// The second parser takes about so long for each sign, word, quote and character, and what takes
// longer than this need not be certain.
const perItem = 1.5;
const perCharacter = 0.03;
const mostMicroseconds = 600;

function confirm({ source, script }: SourceText): string | undefined {
  const first = outlineFirst(script);
  if (first === undefined) return "it has a part that only one reader knows";
  const items = first.length + (source.match(/["']/gu)?.length ?? 0);
  if (items * perItem + source.length * perCharacter > mostMicroseconds) {
    return "it is too long to be read twice";
  }
  const tree = parseSecond(source);
  if (tree === undefined) return "the second reader is not loaded";
  try {
    const second = outlineSecond(tree);
    return second !== undefined && isSameOutline(first, second) ? undefined : disagreement;
  } finally {
    tree.delete();
  }
}
