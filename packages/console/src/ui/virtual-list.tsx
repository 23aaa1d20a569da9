import { useVirtualizer } from "@tanstack/react-virtual";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface VirtualListProps {
  readonly label: string;
  readonly count: number;
  /** With `isMeasured`, an estimate. */
  readonly rowHeight: number;
  /** Whether rows have the height of their content. */
  readonly isMeasured?: boolean;
  /** Where the keyboard is; it is scrolled into view. */
  readonly current?: number | undefined;
  readonly class?: string;
  /** Whether the end stays in view when rows are added to it. */
  readonly followsEnd?: boolean;
  row(index: number): ComponentChildren;
  /** What a row is about, if rows can be added before it. Default: its index. */
  keyOf?(index: number): string | number;
  /** Called with the first and last row in view. */
  onView?(first: number, last: number): void;
  /** Called when the last rows come into view, or will after `rowsAhead` more. */
  onEnd?(): void;
  /** Default: 20. */
  readonly rowsAhead?: number;
}

const nearEnd = 60;

/** A list of any length that has only its visible rows in the page. */
export function VirtualList(props: VirtualListProps) {
  const { label, count, rowHeight, isMeasured = false, current, class: name = "" } = props;
  const { row, keyOf, onEnd, rowsAhead = 20, onView, followsEnd = false } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current as never,
    estimateSize: () => rowHeight,
    overscan: 12,
    ...(keyOf !== undefined && { getItemKey: keyOf }),
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (count > 0 && last >= count - rowsAhead) onEnd?.();
  }, [last, count, rowsAhead, onEnd]);
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
  useEffect(() => onView?.(startIndex, endIndex), [startIndex, endIndex, onView]);
  const atEnd = useRef(true);
  useEffect(() => {
    if (followsEnd && atEnd.current && count > 0) virtualizer.scrollToIndex(count - 1);
  }, [followsEnd, count, virtualizer]);
  useEffect(() => {
    if (current !== undefined && current >= 0) virtualizer.scrollToIndex(current);
  }, [current, virtualizer]);
  return (
    // The scroller can be focused, so that arrow keys scroll it.
    <section
      class={`virtual ${name}`}
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls
      tabIndex={0}
      aria-label={label}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < nearEnd;
      }}
    >
      <ul style={{ height: virtualizer.getTotalSize() }}>
        {items.map((item) => (
          <li
            key={item.key}
            class="virtual-row"
            {...(isMeasured && {
              ref: virtualizer.measureElement as never,
              "data-index": item.index,
            })}
            style={{
              transform: `translateY(${item.start}px)`,
              ...(!isMeasured && { height: rowHeight }),
            }}
          >
            {row(item.index)}
          </li>
        ))}
      </ul>
    </section>
  );
}
