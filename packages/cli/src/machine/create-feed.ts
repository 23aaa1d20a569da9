import { callsOf } from "@haft/agent/internal/threads";
import type { MachineService } from "@haft/platform/internal";
import { toMomentJson } from "../commands/sessions/timeline.ts";
import type { MachineRecords } from "./machine-records.ts";
import { toListedCall } from "./show-calls.ts";

type Follow = MachineService["follow"];
type FeedEvent = ReturnType<Follow> extends AsyncIterable<infer Event> ? Event : never;

const pollMs = 250;
// A listener that missed more reads its lists again.
const maxMissed = 500;

/**
 * Creates the events of all sessions on this machine. Other processes write the records, so they are
 * looked at a few times a second, while somebody listens.
 */
export function createFeed(records: MachineRecords): { readonly follow: Follow } {
  const listeners = new Set<(events: readonly FeedEvent[]) => void>();
  let watch: { look(): Promise<readonly FeedEvent[]> } | undefined;
  let timer: NodeJS.Timeout | undefined;

  const poll = async (): Promise<void> => {
    // A failed look is repeated: the database may be busy.
    const events = await watch?.look().catch(() => []);
    if (events !== undefined && events.length > 0) for (const tell of listeners) tell(events);
    if (listeners.size > 0) timer = setTimeout(poll, pollMs).unref();
  };
  const start = async (): Promise<void> => {
    watch = await createWatch(records);
    timer = setTimeout(poll, pollMs).unref();
  };
  const stop = (): void => {
    clearTimeout(timer);
    watch = undefined;
  };

  return {
    follow: async function* (after, signal) {
      const queue: FeedEvent[] = [];
      let wake: (() => void) | undefined;
      const tell = (events: readonly FeedEvent[]): void => {
        queue.push(...events);
        wake?.();
      };
      const end = (): void => wake?.();
      signal.addEventListener("abort", end, { once: true });
      listeners.add(tell);
      try {
        if (watch === undefined) await start();
        yield* await catchUp(after, records);
        while (!signal.aborted) {
          for (let event = queue.shift(); event !== undefined; event = queue.shift()) yield event;
          await new Promise<void>((resolve) => {
            wake = resolve;
            if (queue.length > 0 || signal.aborted) resolve();
          });
        }
      } finally {
        signal.removeEventListener("abort", end);
        listeners.delete(tell);
        if (listeners.size === 0) stop();
      }
    },
  };
}

/** Returns what a listener missed, and then `ready`, which says where it is now. */
async function catchUp(after: string | undefined, records: MachineRecords): Promise<FeedEvent[]> {
  const index = await records.index();
  const newest = index.newest();
  const ready: FeedEvent = {
    event: "ready",
    id: String(newest),
    data: { live: [...records.live()] },
  };
  const last = Number(after);
  if (after === undefined || !Number.isSafeInteger(last) || last < 0) return [ready];
  const missed = index.since(last, maxMissed + 1);
  if (missed.length > maxMissed || last > newest) {
    return [{ event: "reset", id: String(newest), data: {} }, ready];
  }
  return [...missed.map(toEnded), ready];
}

function toEnded(call: Parameters<typeof toListedCall>[0]): FeedEvent {
  return { event: "call.ended", id: String(call.row), data: toListedCall(call) };
}

/** Compares the records with what they were at the last look. */
async function createWatch(
  records: MachineRecords,
): Promise<{ look(): Promise<readonly FeedEvent[]> }> {
  const { threads } = records;
  let last = (await records.index()).newest();
  let live = records.live();
  const countEntries = (id: string): number => threads.find(id)?.entries ?? 0;
  const seen = new Map([...live].map((id) => [id, countEntries(id)]));

  const lookAtThread = (session: string): FeedEvent[] => {
    const from = seen.get(session) ?? 0;
    const now = countEntries(session);
    seen.set(session, now);
    if (now <= from) return [];
    return [...threads.entries(session, from + 1)].flatMap(({ at, time, entry }): FeedEvent[] => {
      if (entry.kind === "result") return [];
      const message = toMomentJson({ type: "message", at, time, entry });
      return [
        { event: "message", data: { session, ...message } },
        // An answer is stored before its calls run.
        ...callsOf(entry).map(({ callId, name }) => ({
          event: "call.started",
          data: { session, call_id: callId, name, started_at: new Date(time).toISOString() },
        })),
      ];
    });
  };

  return {
    look: async () => {
      const index = await records.index();
      const now = records.live();
      const opened = [...now].filter((id) => !live.has(id));
      const closed = [...live].filter((id) => !now.has(id));
      const said = [...now, ...closed].flatMap(lookAtThread);
      const ended = index.since(last, maxMissed).map(toEnded);
      live = now;
      last = Number(ended.at(-1)?.id ?? last);
      for (const id of closed) seen.delete(id);
      const tell = (event: string) => (session: string) => ({ event, data: { session } });
      return [
        ...opened.map(tell("session.opened")),
        ...said,
        ...ended,
        ...closed.map(tell("session.closed")),
      ];
    },
  };
}
