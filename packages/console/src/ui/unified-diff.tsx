import "../styles/unified-diff.css";
import { useState } from "preact/hooks";
import { show } from "./show.ts";

const shownLines = 400;

/** A unified diff. The first lines are shown, and more on demand. */
export function UnifiedDiff({
  diff,
  label,
  maxLines = shownLines,
}: {
  diff: string;
  label: string;
  maxLines?: number;
}) {
  const [limit, setLimit] = useState(maxLines);
  const lines = diff.replace(/\n$/u, "").split("\n", limit + 1);
  const rest = lines.length > limit ? countLines(diff) - limit : 0;
  return (
    <figure class="unified-diff">
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/noNoninteractiveTabindex: a text that scrolls with the keyboard */}
      <pre tabIndex={0} role="region" aria-label={label}>
        {lines.slice(0, limit).map((line, index) => (
          <span key={String(index)} data-kind={isHead(lines, index) ? "file" : kindOf(line)}>
            {show(line)}
            {"\n"}
          </span>
        ))}
      </pre>
      {rest > 0 && (
        <button type="button" class="small" onClick={() => setLimit(limit + shownLines)}>
          Show more ({rest} {rest === 1 ? "line" : "lines"} left)
        </button>
      )}
    </figure>
  );
}

// The names of a file before and after.
function isHead(lines: readonly string[], index: number): boolean {
  const [before = "", line = "", after = ""] = [lines[index - 1], lines[index], lines[index + 1]];
  return line.startsWith("--- ")
    ? after.startsWith("+++ ")
    : line.startsWith("+++ ") && before.startsWith("--- ");
}

function kindOf(line: string): string | undefined {
  if (line.startsWith("+")) return "added";
  if (line.startsWith("-")) return "removed";
  return line.startsWith("@@") ? "place" : undefined;
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return text.endsWith("\n") ? count - 1 : count;
}
