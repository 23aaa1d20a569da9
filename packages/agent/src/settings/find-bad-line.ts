import { parseCommentedJson } from "@haft/core";

/**
 * The first line, counted from 1, with which a text is no JSON any more; the last if only its end is
 * missing. The parser tells the place of some mistakes only.
 */
export function findBadLine(text: string): number {
  const lines = withoutBlockComments(text).split(/\r\n|\r|\n/u);
  let good = 0;
  let bad = lines.length;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (mayGoOn(lines.slice(0, middle).join("\n"))) good = middle;
    else bad = middle;
  }
  return bad;
}

// A text that breaks off in the middle is no mistake yet, but no string goes on in the next line.
function mayGoOn(text: string): boolean {
  try {
    parseCommentedJson(text);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    if (message.startsWith("Unexpected end")) return true;
    const position = /at position (\d+)/u.exec(message)?.[1];
    return !message.startsWith("Unterminated") && Number(position) >= text.length;
  }
}

// Where one is cut in two, its first half would be a mistake.
function withoutBlockComments(text: string): string {
  return text.replaceAll(/\/\*.*?\*\//gsu, (comment) => comment.replaceAll(/[^\n\r]/gu, " "));
}
