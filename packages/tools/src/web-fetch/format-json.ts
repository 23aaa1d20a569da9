/**
 * JSON in lines that a person can read. Nothing but the blanks between its parts changes: numbers
 * that no program can hold stay as they are, and so does a text that is no JSON at all.
 */
export function formatJson(text: string): string {
  if (!isJson(text)) return text;
  const parts: string[] = [];
  let depth = 0;
  let previous = "";
  for (const [part] of text.matchAll(tokens)) {
    const isClose = part === "}" || part === "]";
    if (isClose) depth--;
    const isEmpty = isClose && (previous === "{" || previous === "[");
    const startsLine = (isClose && !isEmpty) || (!isClose && /^[[{,]$/u.test(previous));
    if (startsLine) parts.push("\n", "  ".repeat(Math.min(depth, deepest)));
    parts.push(part === ":" ? ": " : part);
    if (part === "{" || part === "[") depth++;
    previous = part;
  }
  return parts.join("");
}

// Deeper levels are indented no further: else a few brackets make a page of blanks.
const deepest = 20;

const tokens = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/gsu;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
