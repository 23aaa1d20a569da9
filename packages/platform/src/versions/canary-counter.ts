import { toErrorMessage } from "@haft/contract/internal";
import { sql } from "kysely";
import type { PlatformParts } from "../platform-parts.ts";
import { emitEvent } from "../webhooks/emit-event.ts";
import { type CanaryCounts, toAbortRule } from "./abort-rule.ts";
import { endCanary } from "./canary-rows.ts";

/** The side of a canary's comparison that a call is on. */
export interface CanarySide {
  readonly canaryId: string;
  readonly isCanary: boolean;
}

/** Counts the calls and errors of canaries, and takes back those that fail too often. */
export interface CanaryCounter {
  /** Adds results of one call. */
  count(side: CanarySide, results: { readonly calls: number; readonly errors: number }): void;
  /** Writes what was counted and compares. Called by itself. */
  flush(): Promise<void>;
}

type Parts = Pick<PlatformParts, "store" | "audit" | "now">;

/** Options of a counter. */
export interface CanaryCounterOptions {
  /** How long successful calls may wait before they are written. Default: 1000. */
  readonly flushMs?: number;
  readonly onError?: (message: string) => void;
}

const noCounts: CanaryCounts = { calls: 0, errors: 0, stable_calls: 0, stable_errors: 0 };

/**
 * Creates a counter. An error of a canary is written and compared at once, all else together after
 * a moment. The counts are in the store, so those of several processes add up.
 */
export function createCanaryCounter(
  parts: Parts,
  { flushMs = 1_000, onError }: CanaryCounterOptions = {},
): CanaryCounter {
  let counted = new Map<string, CanaryCounts>();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> | undefined;

  const write = async (): Promise<void> => {
    while (counted.size > 0) {
      const taken = counted;
      counted = new Map();
      for (const [id, counts] of taken) await add(parts, id, counts);
    }
  };
  const wait = (): void => {
    timer ??= setTimeout(() => void flush(), flushMs).unref();
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    flushing ??= write()
      // Counts that are lost delay a decision. They must not fail a call.
      .catch((error: unknown) => onError?.(toErrorMessage(error)))
      .finally(() => {
        flushing = undefined;
        if (counted.size > 0) wait();
      });
    return flushing;
  };
  return {
    count: ({ canaryId, isCanary }, { calls, errors }) => {
      if (calls === 0) return;
      const known = counted.get(canaryId) ?? noCounts;
      counted.set(
        canaryId,
        isCanary
          ? { ...known, calls: known.calls + calls, errors: known.errors + errors }
          : {
              ...known,
              stable_calls: known.stable_calls + calls,
              stable_errors: known.stable_errors + errors,
            },
      );
      if (isCanary && errors > 0) void flush();
      else wait();
    },
    flush,
  };
}

async function add(parts: Parts, id: string, counts: CanaryCounts): Promise<void> {
  const { store, audit, now } = parts;
  const row = await store.db
    .updateTable("canaries")
    .set({
      calls: sql<number>`calls + ${counts.calls}`,
      errors: sql<number>`errors + ${counts.errors}`,
      stable_calls: sql<number>`stable_calls + ${counts.stable_calls}`,
      stable_errors: sql<number>`stable_errors + ${counts.stable_errors}`,
    })
    .where("id", "=", id)
    .where("ended_at", "is", null)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined || !toAbortRule(row.abort_if).isBroken(row)) return;
  const { tool_id: toolId } = row;
  await store.db.transaction().execute(async (db) => {
    // Of several processes that find this at once, one ends it.
    const ended = await endCanary(db, toolId, { id, outcome: "aborted", now: now() });
    if (ended === undefined) return;
    const { version, percent, abort_if, calls, errors, stable_calls, stable_errors } = ended;
    await emitEvent(db, {
      ...{ organization: ended.org_id, type: "canary.taken_back", at: now(), toolId },
      data: { tool_id: toolId, version, percent, calls, errors, stable_calls, stable_errors },
    });
    // The platform acts for the user who started the canary, without a key.
    const author = { organization: ended.org_id, userId: ended.user_id, keyId: "" };
    await audit.record(db, author, {
      action: "canary.abort",
      target: toolId,
      detail: { version, percent, abort_if, calls, errors, stable_calls, stable_errors },
    });
  });
  store.touch();
}
