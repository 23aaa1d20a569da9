import type { MachineTimeline } from "../../api/machine-sessions.ts";

/** A call on a timeline. Times are milliseconds since the start of the session. */
export interface TimelineBar {
  readonly id: number;
  readonly tool: string;
  readonly state: string;
  readonly session: string;
  readonly depth: number;
  readonly from: number;
  readonly to: number;
  readonly askedMs: number;
  readonly queuedMs: number;
}

/** Lists the calls of a timeline in its order. */
export function listBars(timeline: MachineTimeline): TimelineBar[] {
  const { id, parent, tool, tools, state, states, session, sessions } = timeline;
  const depths: number[] = [];
  return id.flatMap((call, at) => {
    const by = parent[at] ?? -1;
    depths.push(by < 0 ? 0 : (depths[by] ?? 0) + 1);
    if (tool[at] === -1) return [];
    const from = timeline.start_ms[at] ?? 0;
    return {
      ...{ id: call, depth: depths[at] ?? 0, session: sessions[session[at] ?? 0] ?? "" },
      tool: tools[tool[at] ?? 0] ?? "",
      state: states[state[at] ?? 0] ?? "",
      ...{ from, to: from + (timeline.duration_ms[at] ?? 0) },
      ...{ askedMs: timeline.asked_ms[at] ?? 0, queuedMs: timeline.queued_ms[at] ?? 0 },
    };
  });
}

// Times are rounded to milliseconds, and another process looks at its queue now and then.
const slackMs = 30;

/**
 * Finds which call a call waited for: of those that ran meanwhile, the one that ended last before it went
 * on. The records say how long a call waited and not for which.
 */
export function findBlockers(bars: readonly TimelineBar[]): ReadonlyMap<number, number> {
  const byEnd = bars
    .map((bar, index) => ({ ...bar, index }))
    .sort((one, other) => one.to - other.to);
  const found = new Map<number, number>();
  for (const [index, { from, askedMs, queuedMs, session }] of bars.entries()) {
    if (queuedMs <= 0) continue;
    const begin = from + askedMs;
    const end = begin + queuedMs + slackMs;
    for (let at = findFirstAfter(byEnd, end) - 1; at >= 0; at--) {
      const other = byEnd[at];
      if (other === undefined || other.to < begin) break;
      if (other.index !== index && other.session === session && other.from < end) {
        found.set(index, other.index);
        break;
      }
    }
  }
  return found;
}

function findFirstAfter(byEnd: readonly TimelineBar[], time: number): number {
  let low = 0;
  let high = byEnd.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((byEnd[middle]?.to ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
