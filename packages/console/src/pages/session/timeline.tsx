import "../../styles/timeline.css";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "preact/hooks";
import { failedStates, listedCallQuery, type MachineTimeline } from "../../api/machine-sessions.ts";
import { useSession } from "../../api/session.ts";
import { useShortcuts } from "../../shell/shortcuts.ts";
import { showLine } from "../../ui/show.ts";
import { formatDuration } from "../../ui/time.tsx";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { createTimeScale } from "./time-scale.ts";
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
  useShortcuts({
    j: () => setCurrent(Math.min(current + 1, bars.length - 1)),
    k: () => setCurrent(Math.max(current - 1, 0)),
  });
  const [first, last] = view;
  const inView = useMemo(() => bars.slice(first, last + 1), [bars, first, last]);
  const scale = useMemo(() => createTimeScale(inView), [inView]);
  const start = Math.min(...inView.map(({ from }) => from));
  const end = Math.max(...inView.map(({ to }) => to));
  const percent = (time: number): string => `${(scale.place(time) * 100).toFixed(3)}%`;
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
          const bar = bars[index] as TimelineBar;
          const { from, to, askedMs, queuedMs, depth } = bar;
          const blocker = blockers.get(index);
          const text = describe(bar, blocker === undefined ? undefined : bars[blocker]);
          const parts = [
            ["asked", from, from + askedMs],
            ["queued", from + askedMs, from + askedMs + queuedMs],
            ["ran", from + askedMs + queuedMs, to],
          ] as const;
          return (
            <button
              type="button"
              class="timeline-row"
              data-state={failedStates.includes(bar.state) ? "failed" : bar.state}
              data-current={index === current}
              title={text}
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
                  <span
                    class="timeline-gap"
                    key={gap.from}
                    style={{
                      left: percent(gap.from),
                      width: `${(scale.place(gap.to) - scale.place(gap.from)) * 100}%`,
                    }}
                  />
                ))}
                {parts.map(([kind, begin, stop]) =>
                  kind !== "ran" && stop <= begin ? null : (
                    <span
                      class="timeline-bar"
                      key={kind}
                      data-kind={kind}
                      style={{
                        left: percent(begin),
                        width: `${Math.max(0, scale.place(stop) - scale.place(begin)) * 100}%`,
                      }}
                    />
                  ),
                )}
              </span>
              <span class="number timeline-took">{formatDuration(Math.round(to - from))}</span>
              <span class="hidden">{text}</span>
            </button>
          );
        }}
      />
    </div>
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
