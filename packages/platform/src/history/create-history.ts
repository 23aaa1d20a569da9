import { toErrorMessage } from "@haft/contract/internal";
import type { PlatformParts } from "../platform-parts.ts";
import { findStoreFailure, isDataError, type StoreFailure } from "../store/store-failure.ts";
import { createGroups } from "./groups.ts";
import { isRunning } from "./heartbeat.ts";
import { type History, NotRecorded } from "./history.ts";
import { createIndexBacklog } from "./index-backlog.ts";
import { createInvocationInsert } from "./invocation-table.ts";
import { recordLostInvocations } from "./lost-invocations.ts";
import { forgetOldInvocations } from "./old-invocations.ts";
import { openSearchIndex } from "./open-search-index.ts";
import { createRecordKeeper } from "./record-keeper.ts";
import type { UnwrittenFile } from "./unwritten-file.ts";
import { createRecordWriter, type HistoryRecord, type RunningInvocation } from "./write-records.ts";

/** Options of history. */
export interface HistoryOptions {
  /** An invocation that takes longer is recorded as running before it ends. Default: 50. */
  readonly longMs?: number;
  /** Is told how many invocations were written at once. */
  readonly onGroup?: (rows: number) => void;
  /** Where rows are kept that the store did not take; in memory only if there is none. */
  readonly unwritten?: UnwrittenFile | undefined;
  /** The clock by which rows are old. @default the platform's */
  readonly ageNow?: () => number;
  /** Is told that a row was kept, before its `end` throws. */
  readonly onKept?: (failure: StoreFailure) => void;
  /** Is told of a row that is lost, because there is no room for it or the store refuses it. */
  readonly onLost?: (id: string, error: unknown) => void;
}

type Parts = Pick<PlatformParts, "store" | "settings" | "processId" | "now">;

const dayMs = 24 * 60 * 60 * 1000;
// As many as the index takes at a time, so that it keeps up.
const maxInGroup = 256;

/** Creates the writer of history. */
export function createHistory(parts: Parts, options: HistoryOptions = {}): History {
  const { longMs = 50, ageNow = parts.now, onGroup, onKept, onLost } = options;
  const index = openSearchIndex(parts.store.kind);
  const backlog = createIndexBacklog(parts.store, index);
  const insert = createInvocationInsert(parts.store);
  const write = createRecordWriter(parts, index, insert);
  let isClosed = false;
  const running = new Set<RunningInvocation>();

  const groups = createGroups<HistoryRecord>({
    maxItems: maxInGroup,
    isFaultOfOne: isDataError,
    // Each write costs a flush and a page of every index. Of many that run, others end in a moment.
    isEnough: (items) => items >= running.size,
    write: async (records) => {
      await backlog.settle();
      const written = await write(records);
      if (written.rows === 0) return;
      backlog.add(written.rows, written.characters);
      onGroup?.(written.rows);
    },
  });

  const kept = createRecordKeeper({
    unwritten: options.unwritten,
    onLost: onLost ?? (() => undefined),
    write: (records) => write(records, { isRepeated: true }).then(() => undefined),
  });

  const forgetOldProcesses = async (): Promise<void> => {
    const old = await parts.store.db
      .selectFrom("processes")
      .selectAll()
      .where("heartbeat_at", "<", ageNow() - dayMs)
      .execute();
    const dead = old.filter((row) => row.id !== parts.processId && !isRunning(parts, row));
    for (const { id } of dead) {
      await parts.store.db.deleteFrom("processes").where("id", "=", id).execute();
    }
  };

  let tidying: Promise<void> | undefined;
  const tidy = async (): Promise<void> => {
    await recordLostInvocations(parts, insert, onLost ?? (() => undefined));
    await forgetOldInvocations({ ...parts, now: ageNow }, index);
    await forgetOldProcesses();
    await parts.store.shrinker?.shrink();
  };

  let turn = 0;
  let timer: NodeJS.Timeout | undefined;
  // One timer for all. An invocation that has seen a whole turn of it takes long.
  const watch = (): void => {
    timer = undefined;
    turn += 1;
    for (const invocation of running) {
      if (invocation.turn >= turn - 1) break;
      running.delete(invocation);
      // Needed only if this process dies, so a failure is not reported.
      groups.add({ invocation }).catch(() => undefined);
    }
    if (running.size > 0) timer = setTimeout(watch, longMs).unref();
  };

  return {
    begin: (draft) => {
      const invocation: RunningInvocation = {
        draft,
        turn,
        hasEnded: false,
        isWritten: false,
      };
      running.add(invocation);
      timer ??= setTimeout(watch, longMs).unref();
      return {
        leave: async () => {
          invocation.hasEnded = true;
          running.delete(invocation);
          await groups.add({ invocation, hasLeft: true });
        },
        end: async (row) => {
          invocation.hasEnded = true;
          running.delete(invocation);
          if (isClosed) throw new Error(`Invocation ${row.id} is not recorded: history is closed.`);
          try {
            await groups.add({ invocation, row });
          } catch (error) {
            const reason = toErrorMessage(error);
            const failure = findStoreFailure(error);
            if (failure === undefined) onLost?.(row.id, error);
            const isKept = failure !== undefined && kept.keep({ invocation, row });
            if (failure !== undefined) onKept?.(failure);
            throw new NotRecorded(row.id, { reason, isKept, cause: error });
          }
        },
      };
    },
    writeKept: () => kept.write(),
    tidy: () => {
      // Much to delete can take longer than the time until the next call.
      tidying ??= tidy().finally(() => {
        tidying = undefined;
      });
      return tidying;
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await groups.drain();
      await kept.close();
      await backlog.close();
    },
  };
}
