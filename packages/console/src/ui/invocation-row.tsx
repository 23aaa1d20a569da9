import { Link } from "@tanstack/react-router";
import { memo } from "preact/compat";
import { type Summary, toVersionText } from "../api/tools.ts";
import { showLine } from "./show.ts";
import { formatDuration, Time } from "./time.tsx";

const noWords: readonly string[] = [];

interface RowProps {
  readonly row: Summary;
  readonly toolName: string;
  /** Words to mark. */
  readonly words?: readonly string[];
  readonly isCurrent?: boolean;
  readonly isSelected?: boolean;
  /** Its place in the list, for `onSelect`. */
  readonly index?: number;
  /** Without it, rows can't be selected. The same function each time: rows that did not change are not rendered again. */
  onSelect?(index: number, isRange: boolean): void;
}

/** One line of a list of invocations. */
export const InvocationRow = memo(function InvocationRow({
  row,
  toolName,
  words = noWords,
  isCurrent,
  isSelected,
  index = 0,
  onSelect,
}: RowProps) {
  const state = row.succeeded ? "succeeded" : "failed";
  return (
    <div class="row" data-state={state} data-current={isCurrent} data-selected={isSelected}>
      {onSelect === undefined ? (
        <span class="dot" role="img" aria-label={state} />
      ) : (
        <span class="pick">
          <input
            type="checkbox"
            checked={isSelected ?? false}
            aria-label={`Select the invocation of ${showLine(toolName, 60)}`}
            onClick={(event) => onSelect(index, event.shiftKey)}
          />
          <span class="dot" role="img" aria-label={state} />
        </span>
      )}
      <Link to={`/invocations/${row.id}` as never} class="row-name">
        {showLine(toolName, 80)} <span class="quiet">{toVersionText(row.tool_version)}</span>
        {row.retry_of !== null && <span class="quiet"> retry</span>}
      </Link>
      <span class="row-text">
        {!row.succeeded && row.exception_type !== null && (
          <strong class="bad">{showLine(row.exception_type, 60)} </strong>
        )}
        <Marked text={showLine(row.excerpt)} words={words} />
      </span>
      <span class="row-caller quiet">
        {showLine(row.caller?.api_key_name ?? row.caller?.client ?? row.source, 40)}
      </span>
      <span class="number">{formatDuration(row.duration_ms)}</span>
      <span class="number quiet">
        <Time at={row.created_at} />
      </span>
    </div>
  );
});

/** Text with the words that were searched for marked. */
function Marked({ text, words }: { text: string; words: readonly string[] }) {
  if (words.length === 0) return <>{text}</>;
  const escaped = words.map((word) => word.replaceAll(/[^\p{L}\p{N}_]/gu, "\\$&"));
  const parts = text.split(new RegExp(`(${escaped.join("|")})`, "giu"));
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 ? <mark key={String(index)}>{part}</mark> : part,
      )}
    </>
  );
}
