import { clipText, contentEnd, lineEnd, lineNumber, lineStart } from "@haft/contract/internal";
import type { TextRange } from "./line-rule.ts";

const maxPlaces = 5;
const maxReach = 5;
const maxShown = 100;

/** Says for each match which lines before or after it, as few as possible, make it unique. */
export function tellApart(text: string, places: readonly TextRange[]): string[] {
  return places.slice(0, maxPlaces).map((place) => {
    const line = lineNumber(text, place.start);
    return `  line ${line}: ${findContext(text, place) ?? "no line near it differs"}`;
  });
}

function findContext(text: string, { start, end }: TextRange): string | undefined {
  let [before, after] = [lineStart(text, start), lineEnd(text, end)];
  // A match that ends with its line break is followed by the next line.
  if (text[end - 1] === "\n") after = end;
  for (let reach = 1; reach <= maxReach; reach++) {
    if (before > 0) {
      before = lineStart(text, before - 1);
      if (isUnique(text, before, end)) return say("before", reach, lineAt(text, before));
    }
    if (after < text.length) {
      const next = lineEnd(text, after);
      const content = contentEnd(text, after, next);
      if (isUnique(text, start, content)) return say("after", reach, text.slice(after, content));
      after = next;
    }
  }
  return undefined;
}

function say(side: "before" | "after", reach: number, line: string): string {
  const shown = JSON.stringify(clipText(line.trim(), maxShown));
  if (reach === 1) return `the line ${side} it is ${shown}`;
  return `the ${reach} lines ${side} it ${side === "before" ? "begin" : "end"} with ${shown}`;
}

function lineAt(text: string, start: number): string {
  return text.slice(start, contentEnd(text, start, lineEnd(text, start)));
}

function isUnique(text: string, start: number, end: number): boolean {
  const part = text.slice(start, end);
  return text.indexOf(part) === start && text.indexOf(part, start + 1) === -1;
}
