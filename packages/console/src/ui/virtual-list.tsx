import { useVirtualizer } from "@tanstack/react-virtual";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface VirtualListProps {
  readonly label: string;
  readonly count: number;
  readonly rowHeight: number;
  /** Where the keyboard is; it is scrolled into view. */
  readonly current?: number | undefined;
  readonly class?: string;
  row(index: number): ComponentChildren;
  /** Called when the last rows come into view, or will after `rowsAhead` more. */
  onEnd?(): void;
  /** Default: 20. */
  readonly rowsAhead?: number;
}

/** A list of any length that has only its visible rows in the page. */
export function VirtualList(props: VirtualListProps) {
  const { label, count, rowHeight, current, class: name = "", row, onEnd, rowsAhead = 20 } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current as never,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (count > 0 && last >= count - rowsAhead) onEnd?.();
  }, [last, count, rowsAhead, onEnd]);
  useEffect(() => {
    if (current !== undefined && current >= 0) virtualizer.scrollToIndex(current);
  }, [current, virtualizer]);
  return (
    // The scroller can be focused, so that arrow keys scroll it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls
    <section class={`virtual ${name}`} ref={scroller} tabIndex={0} aria-label={label}>
      <ul style={{ height: virtualizer.getTotalSize() }}>
        {items.map((item) => (
          <li
            key={item.key}
            class="virtual-row"
            style={{ transform: `translateY(${item.start}px)`, height: rowHeight }}
          >
            {row(item.index)}
          </li>
        ))}
      </ul>
    </section>
  );
}
