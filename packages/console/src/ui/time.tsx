import { useEffect, useState } from "preact/hooks";

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const exact = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });
const clock = new Intl.DateTimeFormat("en", { timeStyle: "medium", hour12: false });
const steps = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 30],
  ["month", 12],
] as const;

const watchers = new Set<() => void>();
setInterval(() => {
  for (const watcher of watchers) watcher();
}, 15_000);

/** How long ago a moment was. The exact moment appears on hover. */
export function Time({ at }: { at: string }) {
  const [, update] = useState(0);
  useEffect(() => {
    const watcher = (): void => update((last) => last + 1);
    watchers.add(watcher);
    return () => {
      watchers.delete(watcher);
    };
  }, []);
  return (
    <time dateTime={at} title={exact.format(new Date(at))}>
      {formatAgo(Date.parse(at) - Date.now())}
    </time>
  );
}

/** The time of day. The exact moment appears on hover. */
export function ClockTime({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact.format(date)}>
      {clock.format(date)}
    </time>
  );
}

/** A moment in full. */
export function formatMoment(at: string | number): string {
  return exact.format(new Date(at));
}

/** A duration, such as `120 ms`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

function formatAgo(ms: number): string {
  let value = ms / 1_000;
  if (Math.abs(value) < 5) return "now";
  for (const [unit, size] of steps) {
    if (Math.abs(value) < size) return relative.format(Math.round(value), unit);
    value /= size;
  }
  return relative.format(Math.round(value), "year");
}
