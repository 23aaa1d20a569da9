import type { SQLInputValue } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { besideFile } from "@haft/computer/internal";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";

/** A query for a reading thread. */
export interface ReadRequest {
  readonly sql: string;
  readonly parameters: readonly SQLInputValue[];
}

/** What a reading thread answers. */
export interface ReadAnswer {
  readonly rows?: readonly unknown[];
  readonly error?: ReadError;
}

/** The members of SQLite's errors that tell a failure of the database from a wrong query. */
export interface ReadError {
  readonly message: string;
  readonly errcode: number | undefined;
  readonly code: string | undefined;
}

// Two, so that a list does not wait for a count.
const maxThreads = 2;
const maxIdleMs = 60_000;

/**
 * A dialect that only reads a SQLite file, in threads of its own: the thread that serves requests goes
 * on meanwhile. A thread starts with the first query that needs it, and ends a while after the last.
 */
export function createReaderDialect(path: string): Dialect {
  return {
    createAdapter: () => new ReaderAdapter(),
    createDriver: () => createReaderDriver(path),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class ReaderAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

function createReaderDriver(path: string): Driver {
  const threads: ReaderThread[] = [];
  const idle: ReaderThread[] = [];
  const waiting: ((thread: ReaderThread) => void)[] = [];
  const refuse = async (): Promise<never> => {
    throw new Error("A reader has no transactions.");
  };
  return {
    init: async () => undefined,
    acquireConnection: async () => {
      const free = idle.pop();
      if (free !== undefined) return free;
      if (threads.length === maxThreads) return new Promise((resolve) => waiting.push(resolve));
      const thread = new ReaderThread(path);
      threads.push(thread);
      return thread;
    },
    releaseConnection: async (connection) => {
      const thread = connection as ReaderThread;
      const next = waiting.shift();
      if (next === undefined) idle.push(thread);
      else next(thread);
    },
    destroy: async () => {
      await Promise.all(threads.map((thread) => thread.end()));
    },
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
  };
}

/** A connection in a thread. It answers one query at a time. */
class ReaderThread implements DatabaseConnection {
  readonly #path: string;
  #worker: Worker | undefined;
  #pending: PromiseWithResolvers<ReadAnswer> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    clearTimeout(this.#timer);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    this.#pending = Promise.withResolvers();
    worker.ref();
    worker.postMessage({ sql, parameters } as ReadRequest);
    try {
      const { rows, error } = await this.#pending.promise;
      if (error !== undefined) throw Object.assign(new Error(error.message), error);
      return { rows: rows as Row[] };
    } finally {
      worker.unref();
      this.#timer = setTimeout(() => void this.end(), maxIdleMs).unref();
    }
  }

  streamQuery(): never {
    throw new Error("A reader does not stream.");
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    // A query that comes while this thread still ends gets another.
    this.#worker = undefined;
    this.#pending?.reject(hasEnded());
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(besideFile(import.meta.url, "reader-thread"), {
      workerData: this.#path,
    });
    worker.on("message", (answer: ReadAnswer) => this.#pending?.resolve(answer));
    worker.on("error", (error) => this.#pending?.reject(error));
    worker.on("exit", () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#pending?.reject(hasEnded());
    });
    return worker;
  }
}

function hasEnded(): Error {
  return new Error("The thread that reads the database has ended.");
}
