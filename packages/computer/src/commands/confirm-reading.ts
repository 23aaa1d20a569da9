import { outlineFirst } from "./outlines/first-outline.ts";
import { isSameOutline } from "./outlines/outline.ts";
import { outlineSecond } from "./outlines/second-outline.ts";
import { parseSecond } from "./outlines/second-parser.ts";
import type { ReadingDraft, SourceText } from "./reading-draft.ts";

/** Parses the same source with a second parser, and doubts the reading if the results differ. */
export function confirmReading(draft: ReadingDraft): void {
  for (const source of draft.sources) {
    const objection = confirm(source);
    if (objection === undefined) continue;
    draft.doubt(objection);
    if (objection === disagreement) draft.loosen();
    return;
  }
}

const disagreement = "the two parsers disagree about it";

// The cost of the second parser per sign, word, quote and character; lines that cost more than this
// are not verified.
const perItem = 1.5;
const perCharacter = 0.03;
const maxMicroseconds = 600;

function confirm({ source, script }: SourceText): string | undefined {
  const first = outlineFirst(script);
  if (first === undefined) return "it has syntax that only one parser supports";
  const items = first.length + (source.match(/["']/gu)?.length ?? 0);
  if (items * perItem + source.length * perCharacter > maxMicroseconds) {
    return "it is too long to be parsed twice";
  }
  const tree = parseSecond(source);
  if (tree === undefined) return "the second parser is not loaded";
  try {
    const second = outlineSecond(tree);
    return second !== undefined && isSameOutline(first, second) ? undefined : disagreement;
  } finally {
    tree.delete();
  }
}
