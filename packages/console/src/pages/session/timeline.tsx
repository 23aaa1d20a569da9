import "../../styles/timeline.css";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { failedStates, listedCallQuery, type MachineTimeline } from "../../api/machine-sessions.ts";
import { useSession } from "../../api/session.ts";
import { useShortcuts } from "../../shell/shortcuts.ts";
import { showLine } from "../../ui/show.ts";
import { formatDuration } from "../../ui/time.tsx";
import { useRowFocus } from "../../ui/use-row-focus.ts";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { createTimeScale, type TimeScale } from "./time-scale.ts";
import { findBlockers, listBars, type TimelineBar } from "./timeline-model.ts";

const rowHeight = 28;
const ticks = [0, 0.25, 0.5, 0.75] as const;

/** What ran beside what, and what waited for what. The scale fits the rows in view. */
export function Timeline({
  timeline,
  onOpen,
}: {
  timeline: MachineTimeline;
  onOpen(call: number): void;
}) {
  const bars = useMemo(() => listBars(timeline), [timeline]);
  const blockers = useMemo(() => findBlockers(bars), [bars]);
  const [view, setView] = useState<readonly [number, number]>([0, 30]);
  const [current, setCurrent] = useState(-1);
  const onView = useCallback((first: number, last: number) => setView([first, last]), []);
  const focus = useRowFocus();
  const move = (to: number): void => {
    const at = Math.min(Math.max(to, 0), bars.length - 1);
    setCurrent(at);
    focus.request(String(at));
  };
  useShortcuts({ j: () => move(current + 1), k: () => move(current - 1) });
  const [first, last] = view;
  const inView = useMemo(() => bars.slice(first, last + 1), [bars, first, last]);
  const scale = useMemo(() => createTimeScale(inView), [inView]);
  const start = Math.min(...inView.map(({ from }) => from));
  const end = Math.max(...inView.map(({ to }) => to));
  return (
    <div class="timeline">
      <div class="timeline-head">
        <p class="timeline-legend quiet">
          <span data-kind="ran">ran</span>
          <span data-kind="asked">waited for a person</span>
          <span data-kind="queued">waited for other calls</span>
          {scale.gaps.length > 0 && <span data-kind="gap">nothing ran (shortened)</span>}
        </p>
        <p class="timeline-range quiet">
          In view: from {formatDuration(Math.round(start))} to {formatDuration(Math.round(end))}{" "}
          after the start
        </p>
      </div>
      <VirtualList
        label="Timeline"
        count={bars.length}
        rowHeight={rowHeight}
        current={current}
        onView={onView}
        row={(index) => {
          const blocker = blockers.get(index);
          return (
            <TimelineRow
              bar={bars[index] as TimelineBar}
              blocker={blocker === undefined ? undefined : bars[blocker]}
              scale={scale}
              isCurrent={index === current}
              onShow={(element) => focus.take(String(index), element)}
              onFocus={() => setCurrent(index)}
              onOpen={onOpen}
            />
          );
        }}
      />
    </div>
  );
}

interface TimelineRowProps {
  readonly bar: TimelineBar;
  /** The call that it waited for. */
  readonly blocker: TimelineBar | undefined;
  readonly scale: TimeScale;
  readonly isCurrent: boolean;
  onShow(element: HTMLElement | null): void;
  onFocus(): void;
  onOpen(call: number): void;
}

function TimelineRow(props: TimelineRowProps) {
  const { bar, blocker, scale, isCurrent, onShow, onFocus, onOpen } = props;
  const { from, to, askedMs, queuedMs, depth } = bar;
  const element = useRef<HTMLButtonElement>(null);
  useEffect(() => onShow(element.current));
  const text = describe(bar, blocker);
  const span = (begin: number, end: number) => ({
    left: `${scale.place(begin) * 100}%`,
    width: `${Math.max(0, scale.place(end) - scale.place(begin)) * 100}%`,
  });
  const parts = [
    ["asked", from, from + askedMs],
    ["queued", from + askedMs, from + askedMs + queuedMs],
    ["ran", from + askedMs + queuedMs, to],
  ] as const;
  return (
    <button
      type="button"
      class="timeline-row"
      ref={element}
      data-state={failedStates.includes(bar.state) ? "failed" : bar.state}
      data-current={isCurrent}
      title={text}
      onFocus={onFocus}
      onClick={() => onOpen(bar.id)}
    >
      <span class="timeline-name" style={{ paddingInlineStart: Math.min(depth, 6) * 12 }}>
        <span class="dot" />
        {showLine(bar.tool, 40)} <CallTitle bar={bar} />
      </span>
      <span class="timeline-track">
        {ticks.map((tick) => (
          <span class="timeline-tick" key={tick} style={{ left: `${tick * 100}%` }} />
        ))}
        {scale.gaps.map((gap) => (
          <span class="timeline-gap" key={gap.from} style={span(gap.from, gap.to)} />
        ))}
        {parts.map(([kind, begin, end]) =>
          kind !== "ran" && end <= begin ? null : (
            <span class="timeline-bar" key={kind} data-kind={kind} style={span(begin, end)} />
          ),
        )}
      </span>
      <span class="number timeline-took">{formatDuration(Math.round(to - from))}</span>
      <span class="hidden">{text}</span>
    </button>
  );
}

function CallTitle({ bar: { session, id } }: { bar: TimelineBar }) {
  const { organization } = useSession();
  const { data } = useQuery(listedCallQuery(organization, session, id));
  return <code class="quiet">{showLine(data?.title ?? "", 80)}</code>;
}

function describe(bar: TimelineBar, blocker: TimelineBar | undefined): string {
  const { tool, state, from, to, askedMs, queuedMs } = bar;
  const took = (ms: number): string => formatDuration(Math.round(ms));
  const parts = [
    `${showLine(tool, 60)}, ${showLine(state, 40)}`,
    `started ${took(from)} after the start, took ${took(to - from)}`,
    ...(askedMs > 0 ? [`waited ${took(askedMs)} for a person`] : []),
    ...(queuedMs > 0
      ? [
          `waited ${took(queuedMs)} for other calls${blocker === undefined ? "" : `, the last of them ${showLine(blocker.tool, 60)}, started ${took(blocker.from)} after the start`}`,
        ]
      : []),
  ];
  return `${parts.join("; ")}.`;
}
