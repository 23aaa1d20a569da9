import { useState } from "preact/hooks";
import { showLine } from "./show.ts";

const shownLines = 400;
const maxLineLength = 2_000;

/** A diff that came as text, with its lines coloured. */
export function UnifiedDiff({ text, label }: { text: string; label: string }) {
  const [count, setCount] = useState(shownLines);
  const lines = text.split("\n");
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/noNoninteractiveTabindex: a text that scrolls with the keyboard */}
      <pre class="text unified" tabIndex={0} role="region" aria-label={label}>
        {lines.slice(0, count).map((line, index) => (
          <span key={String(index)} data-kind={kindOf(line)}>
            {showLine(line, maxLineLength)}
            {"\n"}
          </span>
        ))}
      </pre>
      {lines.length > count && (
        <button type="button" class="small" onClick={() => setCount(count + 10 * shownLines)}>
          Show more ({lines.length - count} lines left)
        </button>
      )}
    </>
  );
}

function kindOf(line: string): string {
  if (/^(?:---|\+\+\+|@@)/u.test(line)) return "place";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "same";
}
