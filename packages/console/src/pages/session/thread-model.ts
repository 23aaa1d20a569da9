import type { MachineTimeline } from "../../api/machine-sessions.ts";

/** A call, a message, or a call that runs. */
export type ThreadItem =
  | (PlacedItem & { readonly kind: "call"; readonly inside: number })
  | (PlacedItem & { readonly kind: "message" })
  | (MachineTimeline["running"][number] & { readonly kind: "running" });

interface PlacedItem {
  /** Unique in the thread. */
  readonly key: string;
  readonly session: string;
  readonly id: number;
  /** Index in the timeline. */
  readonly at: number;
  readonly depth: number;
}

/** Returns the items of a thread without those inside of folded calls. */
export function toItems(timeline: MachineTimeline, folded: ReadonlySet<string>): ThreadItem[] {
  const { id, session, parent, tool, sessions, running } = timeline;
  const inside = countInside(parent);
  const depths: number[] = [];
  const hidden = new Set<number>();
  const items: ThreadItem[] = [];
  for (let at = 0; at < id.length; at++) {
    const by = parent[at] ?? -1;
    const depth = by < 0 ? 0 : (depths[by] ?? 0) + 1;
    depths.push(depth);
    if (hidden.has(by)) {
      hidden.add(at);
      continue;
    }
    const isMessage = tool[at] === -1;
    const owner = sessions[session[at] ?? 0] ?? "";
    const key = `${isMessage ? "message" : "call"} ${owner} ${id[at]}`;
    if (folded.has(key)) hidden.add(at);
    const placed = { key, session: owner, id: id[at] ?? 0, at, depth };
    items.push(
      isMessage
        ? { ...placed, kind: "message" }
        : { ...placed, kind: "call", inside: inside[at] ?? 0 },
    );
  }
  return [...items, ...running.map((each) => ({ ...each, kind: "running" as const }))];
}

// A call comes before what it made.
function countInside(parent: readonly number[]): number[] {
  const counts = parent.map(() => 0);
  for (let at = parent.length - 1; at >= 0; at--) {
    const by = parent[at] ?? -1;
    if (by >= 0) counts[by] = (counts[by] ?? 0) + (counts[at] ?? 0) + 1;
  }
  return counts;
}
