import type { PlatformParts } from "../platform-parts.ts";
import { createGroups } from "./groups.ts";
import type { History } from "./history.ts";
import { createIndexBacklog } from "./index-backlog.ts";
import { createInvocationInsert } from "./invocation-table.ts";
import { recordLostInvocations } from "./lost-invocations.ts";
import { forgetOldInvocations } from "./old-invocations.ts";
import { openSearchIndex } from "./open-search-index.ts";
import { createRecordWriter, type HistoryRecord, type RunningInvocation } from "./write-records.ts";

/** What can be set about recording. */
export interface HistoryOptions {
  /** An invocation that takes longer is written down before it has ended; 50. */
  readonly longMs?: number;
  /** Is told how many invocations were written at once. */
  readonly onGroup?: (rows: number) => void;
}

type Parts = Pick<PlatformParts, "store" | "settings" | "processId" | "now">;

const dayMs = 24 * 60 * 60 * 1000;
// As many as the index takes at a time, so that it keeps up.
const mostInGroup = 256;

/** Makes what writes history into the store. */
export function createHistory(
  parts: Parts,
  { longMs = 50, onGroup }: HistoryOptions = {},
): History {
  const index = openSearchIndex(parts.store.kind);
  const backlog = createIndexBacklog(parts.store, index);
  const insert = createInvocationInsert();
  const write = createRecordWriter(parts, index, insert);
  let isClosed = false;
  const running = new Set<RunningInvocation>();

  const groups = createGroups<HistoryRecord>({
    most: mostInGroup,
    isFaultOfOne: isAboutData,
    write: async (records) => {
      await backlog.settle();
      const written = await write(records);
      if (written.rows === 0) return;
      backlog.add(written.rows, written.characters);
      onGroup?.(written.rows);
    },
  });

  let turn = 0;
  let timer: NodeJS.Timeout | undefined;
  // One timer for all of them. Who has seen a whole turn of it takes long.
  const watch = (): void => {
    timer = undefined;
    turn += 1;
    for (const invocation of running) {
      if (invocation.turn >= turn - 1) break;
      running.delete(invocation);
      // Only a process that dies would need it, so nobody is told that it failed.
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
        end: async (row) => {
          invocation.hasEnded = true;
          running.delete(invocation);
          if (isClosed) throw new Error(`Invocation ${row.id} is not recorded: history is closed.`);
          try {
            await groups.add({ invocation, row });
          } catch (error) {
            const reason = error instanceof Error ? error.message : String(error);
            throw new Error(`Invocation ${row.id} is not recorded: ${reason}`, {
              cause: error,
            });
          }
        },
      };
    },
    tidy: async () => {
      await recordLostInvocations(parts, insert);
      await forgetOldInvocations(parts, index);
      const longAgo = parts.now() - dayMs;
      await parts.store.db.deleteFrom("processes").where("heartbeat_at", "<", longAgo).execute();
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await groups.drain();
      await backlog.close();
    },
  };
}

/** Whether a database refused what was to be written, rather than being unable to write. */
function isAboutData(error: unknown): boolean {
  const { code, errcode } = error as {
    readonly code?: unknown;
    readonly errcode?: unknown;
  };
  // Constraints and types: of SQLite 19 and 20, of PostgreSQL the classes 22 and 23.
  if (typeof errcode === "number") return [19, 20].includes(errcode % 256);
  return typeof code === "string" && /^2[23]/.test(code);
}
