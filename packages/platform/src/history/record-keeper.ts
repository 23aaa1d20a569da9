import { isDataError } from "../store/store-failure.ts";
import type { NewInvocation } from "./history.ts";
import type { UnwrittenFile } from "./unwritten-file.ts";
import type { HistoryRecord } from "./write-records.ts";

/** Keeps records that the store did not take, until it does. */
export interface RecordKeeper {
  /** Returns whether there is room for it. */
  keep(record: KeptRecord): boolean;
  /** Writes what is kept. Throws what the store threw. */
  write(): Promise<void>;
  /** Tries once more. */
  close(): Promise<void>;
}

/** The record of an invocation that has ended. */
export type KeptRecord = HistoryRecord & { readonly row: NewInvocation };

/** What a keeper is made of. */
export interface RecordKeeperParts {
  readonly unwritten: UnwrittenFile | undefined;
  write(records: readonly KeptRecord[]): Promise<void>;
  /** Is told of a record that can't be kept or can never be written. */
  onLost(id: string, error: unknown): void;
}

// Nothing new runs while the store fails, so this is what was under way when it began to.
const maxRecords = 10_000;
const maxCharacters = 64 * 1024 * 1024;
const maxInWrite = 64;

/** Creates a keeper of records. They are in memory, and in a file if there is one. */
export function createRecordKeeper(parts: RecordKeeperParts): RecordKeeper {
  const { unwritten, onLost } = parts;
  const kept: KeptRecord[] = [];
  const notInFile = new Set<KeptRecord>();
  let characters = 0;
  let writing: Promise<void> | undefined;

  const forget = (count: number): void => {
    for (const record of kept.splice(0, count)) {
      characters -= sizeOf(record.row);
      notInFile.delete(record);
    }
    if (kept.length > 0) return;
    try {
      unwritten?.clear();
    } catch {
      // What stays in the file is compared to the store at the next start.
    }
  };
  const writeAll = async (): Promise<void> => {
    while (kept.length > 0) {
      const some = kept.slice(0, maxInWrite);
      try {
        await parts.write(some);
        forget(some.length);
      } catch (error) {
        if (!isDataError(error)) throw error;
        await writeEach(some);
      }
    }
  };
  /** One of them is refused for what it says: the others are written without it. */
  const writeEach = async (some: readonly KeptRecord[]): Promise<void> => {
    for (const record of some) {
      await parts.write([record]).catch((error: unknown) => {
        if (!isDataError(error)) throw error;
        onLost(record.row.id, error);
      });
      forget(1);
    }
  };
  const write = (): Promise<void> => {
    writing ??= writeAll().finally(() => {
      writing = undefined;
    });
    return writing;
  };
  return {
    keep: (record) => {
      const { row } = record;
      if (kept.length >= maxRecords || characters + sizeOf(row) > maxCharacters) {
        onLost(row.id, new Error("There are too many records that could not be written."));
        return false;
      }
      kept.push(record);
      characters += sizeOf(row);
      try {
        if (unwritten === undefined) notInFile.add(record);
        else unwritten.add(row);
      } catch {
        notInFile.add(record);
      }
      return true;
    },
    write,
    close: async () => {
      const failed = await write().then(
        () => undefined,
        (error: unknown) => error,
      );
      // What is in the file is written at the next start.
      for (const { row } of notInFile) onLost(row.id, failed);
      unwritten?.close();
    },
  };
}

function sizeOf(row: NewInvocation): number {
  const texts = [row.inputs, row.output, row.exception_message, row.printed];
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
}
