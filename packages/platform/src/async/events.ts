import { EventEmitter } from "node:events";
import { type Kysely, sql } from "kysely";
import type { ServerSentEvent } from "../api/route.ts";
import type { PlatformParts } from "../platform-parts.ts";
import type { Tables } from "../store/schema.ts";
import { readStoredJsonOr } from "../store/stored-json.ts";

/** The events of asynchronous invocations, stored so that they can be followed from any point. */
export interface InvocationEvents {
  add(event: NewEvent): Promise<void>;
  /** Adds an event within a transaction. Call `wake` after it. */
  addIn(db: Kysely<Tables>, event: NewEvent): Promise<void>;
  /** Lets those who follow the invocation look again. */
  wake(invocationId: string): void;
  /** Yields the events after a number, until the invocation ends or this process stops. */
  follow(invocationId: string, after: number): AsyncGenerator<ServerSentEvent>;
  /** Resolves when something happened to the invocation, or after a moment. */
  untilChange(invocationId: string, ms: number): Promise<void>;
  /** Whether this process stops. */
  readonly isClosed: boolean;
  /** Ends everything that is followed. */
  close(): void;
}

/** An event to be stored. */
export interface NewEvent {
  readonly invocationId: string;
  /** `state`, `status` of the tool, or `result`, which is the last. */
  readonly event: "state" | "status" | "result";
  /** JSON without secrets. */
  readonly data: string;
}

const maxEvents = 1_000;
const pageSize = 100;
// How long it takes at most to hear of what another process did.
const lookMs = 1_000;

/** Creates the events of a store. */
export function createInvocationEvents({
  store,
  now,
}: Pick<PlatformParts, "store" | "now">): InvocationEvents {
  const changes = new EventEmitter().setMaxListeners(0);
  let isClosed = false;

  const addIn: InvocationEvents["addIn"] = async (db, { invocationId: id, event, data }) => {
    // Those of the platform itself are few.
    const max = event === "status" ? maxEvents : 2 * maxEvents + 10_000;
    for (let left = 10; left > 0; left--) {
      const { numAffectedRows } = await sql`
        insert into invocation_events (invocation_id, seq, event, data, created_at)
        select cast(${id} as text), coalesce(max(seq), 0) + 1, cast(${event} as text),
          cast(${data} as text), cast(${now()} as bigint)
        from invocation_events where invocation_id = ${id}
        having coalesce(max(seq), 0) < cast(${max} as integer)
        on conflict do nothing`.execute(db);
      if (numAffectedRows !== 0n || event === "status") return;
    }
  };
  const wake = (id: string): void => void changes.emit(id);
  const untilChange = (id: string, ms: number): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        changes.off(id, done);
        changes.off("close", done);
        resolve();
      };
      const timer = setTimeout(done, isClosed ? 0 : ms);
      changes.on(id, done);
      changes.on("close", done);
    });

  return {
    get isClosed() {
      return isClosed;
    },
    addIn,
    wake,
    untilChange,
    add: async (event) => {
      await addIn(store.db, event);
      wake(event.invocationId);
    },
    async *follow(id, after) {
      let last = after;
      for (;;) {
        const row = await store.db
          .selectFrom("async_invocations")
          .select("state")
          .where("id", "=", id)
          .executeTakeFirst();
        const rows = await store.db
          .selectFrom("invocation_events")
          .selectAll()
          .where("invocation_id", "=", id)
          .where("seq", ">", last)
          .orderBy("seq")
          .limit(pageSize)
          .execute();
        for (const { seq, event, data } of rows) {
          last = seq;
          yield { id: String(seq), event, data: readStoredJsonOr(data, null, () => true) };
          if (event === "result") return;
        }
        const isOver = (row?.state ?? "ended") === "ended";
        if (isClosed || (isOver && rows.length === 0)) return;
        if (rows.length < pageSize && !isOver) await untilChange(id, lookMs);
      }
    },
    close: () => {
      isClosed = true;
      changes.emit("close");
    },
  };
}
