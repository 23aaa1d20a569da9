import "../../styles/thread.css";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useAddress } from "../../address.ts";
import type { MachineTimeline } from "../../api/machine-sessions.ts";
import { useShortcuts } from "../../shell/shortcuts.ts";
import { useRowFocus } from "../../ui/use-row-focus.ts";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { CallRow } from "./call-row.tsx";
import { MessageRow } from "./message-row.tsx";
import { RunningRow } from "./running-row.tsx";
import { type ThreadItem, toItems } from "./thread-model.ts";

const estimatedHeight = 84;

interface ThreadProps {
  readonly timeline: MachineTimeline;
  readonly isLive: boolean;
  readonly mayChange: boolean;
  readonly hasAgent: boolean;
}

/** Calls and messages in the order of reading, each call with what it made below it. */
export function Thread({ timeline, isLive, mayChange, hasAgent }: ThreadProps) {
  const address = useAddress();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [currentKey, setCurrentKey] = useState("");
  const focus = useRowFocus();
  const items = useMemo(() => toItems(timeline, folded), [timeline, folded]);
  const current = items.findIndex((item) => "key" in item && item.key === currentKey);
  const wanted = Number(address.text("call"));
  // The address follows what a person opens and closes here, a little later.
  const toggled = useRef(new Set<number>());
  useEffect(() => {
    const item = items.find((each) => each.kind === "call" && each.id === wanted);
    if (item?.kind !== "call" || toggled.current.has(wanted)) return;
    setCurrentKey(item.key);
    setOpened((before) => new Set([...before, item.key]));
    // Only when the address names another call: the person may have gone on since.
  }, [wanted]);

  // Messages are read in passing: keys go from call to call.
  const move = (step: 1 | -1): void => {
    for (let at = current + step; at >= 0 && at < items.length; at += step) {
      const item = items[at];
      if (item?.kind === "call") {
        setCurrentKey(item.key);
        focus.request(item.key);
        return;
      }
    }
  };
  const keys = { ArrowDown: () => move(1), ArrowUp: () => move(-1) } as const;
  useShortcuts({ j: keys.ArrowDown, k: keys.ArrowUp });
  const toggle = useCallback((key: string, set: typeof setOpened) => {
    set((before) => {
      const next = new Set(before);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  }, []);
  const keyOf = useCallback(
    (index: number) => {
      const item = items[index];
      return item === undefined ? index : "key" in item ? item.key : `running ${item.call_id}`;
    },
    [items],
  );
  const renderItem = (item: ThreadItem, index: number) => {
    switch (item.kind) {
      case "message":
        return <MessageRow item={item} mayFork={mayChange && hasAgent} />;
      case "running":
        return <RunningRow call={item} />;
      case "call":
        return (
          <CallRow
            item={item}
            isCurrent={index === current}
            isOpen={opened.has(item.key)}
            isFolded={folded.has(item.key)}
            mayChange={mayChange}
            focus={focus}
            onFocus={() => setCurrentKey(item.key)}
            onToggle={() => {
              toggle(item.key, setOpened);
              toggled.current.add(item.id);
              address.change({ call: opened.has(item.key) ? "" : String(item.id) });
            }}
            onFold={() => toggle(item.key, setFolded)}
          />
        );
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the rows inside have the focus
    <div
      class="thread"
      onKeyDown={(event) => {
        const run = keys[event.key as keyof typeof keys];
        if (run === undefined || !isOnCall(event.target)) return;
        event.preventDefault();
        run();
      }}
    >
      <VirtualList
        label="Thread"
        count={items.length}
        rowHeight={estimatedHeight}
        isMeasured
        followsEnd={isLive && address.text("call") === ""}
        current={current}
        keyOf={keyOf}
        row={(index) => {
          const item = items[index];
          return item && renderItem(item, index);
        }}
      />
    </div>
  );
}

// In texts, results and fields arrow keys do what they always do.
function isOnCall(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.classList.contains("call-name");
}
