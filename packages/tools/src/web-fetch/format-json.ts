/**
 * Pretty-prints JSON. Only white space between tokens changes: numbers of any size stay as they are,
 * and so does a text that is not JSON.
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
    if (startsLine) parts.push("\n", "  ".repeat(Math.min(depth, maxDepth)));
    parts.push(part === ":" ? ": " : part);
    if (part === "{" || part === "[") depth++;
    previous = part;
  }
  return parts.join("");
}

// Deeper levels are not indented further: a few brackets would make a page of blanks.
const maxDepth = 20;

const tokens = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/gsu;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
