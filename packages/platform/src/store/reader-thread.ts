import { DatabaseSync, type StatementSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import type { ReadAnswer, ReadError, ReadRequest } from "./sqlite-reader.ts";

// A thread of its own for queries that take long: it only reads.

const maxStatements = 100;
const cacheKilobytes = 32 * 1024;

const database = new DatabaseSync(workerData as string, { readOnly: true, timeout: 10_000 });
database.exec(`PRAGMA cache_size = -${cacheKilobytes}`);
database.exec("PRAGMA temp_store = MEMORY");
const statements = new Map<string, StatementSync>();

parentPort?.on("message", ({ sql, parameters }: ReadRequest) => {
  parentPort?.postMessage(answer(sql, parameters));
});

function answer(sql: string, parameters: ReadRequest["parameters"]): ReadAnswer {
  try {
    return { rows: prepare(sql).all(...parameters) };
  } catch (error) {
    const { message, errcode, code } = error as ReadError;
    return { error: { message, errcode, code } };
  }
}

function prepare(sql: string): StatementSync {
  let statement = statements.get(sql);
  if (statement === undefined) {
    if (statements.size >= maxStatements) statements.clear();
    statement = database.prepare(sql);
    statements.set(sql, statement);
  }
  return statement;
}
