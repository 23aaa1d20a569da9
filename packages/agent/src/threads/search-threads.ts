import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { type TextQuestion, toTextQuestion } from "./search-words.ts";
import { rowsPerThread, threadColumns } from "./thread-layout.ts";
import { fromThreadRow } from "./thread-row.ts";
import type { ThreadFilter, ThreadHit } from "./threads.ts";

/** Finds the threads in which all words are said somewhere, else those in which any is; the best first. */
export function searchThreads(
  database: DatabaseSync,
  query: string,
  filter: ThreadFilter,
): ThreadHit[] {
  const question = toTextQuestion(query);
  if (question === undefined) return [];
  const all = findPlaces(database, question, { filter, needsAll: true });
  const isEnough = all.length > 0 || question.words.length === 1;
  const places = isEnough ? all : findPlaces(database, question, { filter, needsAll: false });
  return places.map((place) => toHit(database, question, place));
}

/** The place in a thread that fits best. */
interface Place {
  readonly number: number;
  readonly row: bigint;
}

interface Scope {
  readonly filter: ThreadFilter;
  /** Each word must be somewhere in the thread. */
  readonly needsAll: boolean;
}

const threadOfText = `rowid / ${rowsPerThread}`;

// What fits is bounded before it is weighed, for that is what takes time.
const mostWeighed = 3000;

function findPlaces(database: DatabaseSync, question: TextQuestion, scope: Scope): Place[] {
  const { workspace, opaque = false, limit = -1 } = scope.filter;
  const conditions: string[] = [];
  const values: SQLInputValue[] = [];
  if (workspace !== undefined) {
    conditions.push("workspace = ?");
    values.push(workspace);
  }
  if (!opaque) conditions.push("is_opaque = 0");
  for (const word of scope.needsAll && question.words.length > 1 ? question.words : []) {
    conditions.push(`number IN (SELECT ${threadOfText} FROM texts WHERE texts MATCH ?)`);
    values.push(word);
  }
  const where = conditions.length === 0 ? "1" : conditions.join(" AND ");
  const statement = database.prepare(`
    WITH wanted AS MATERIALIZED (SELECT number FROM threads WHERE ${where}),
    found AS MATERIALIZED (SELECT rowid AS row, ${threadOfText} AS number, rank AS score
      FROM texts WHERE texts MATCH ? AND ${threadOfText} IN wanted
      ORDER BY rowid DESC LIMIT ${mostWeighed})
    SELECT row, number, min(score) AS best FROM found
    GROUP BY number ORDER BY best, number DESC LIMIT ?`);
  const telling = chooseTelling(database, question.words).join(" OR ");
  return statement.all(...values, telling, limit).map((row) => ({
    number: Number(row.number),
    row: BigInt(row.row as number),
  }));
}

// The rarest words tell threads apart; one that is everywhere tells nothing.
function chooseTelling(database: DatabaseSync, words: readonly string[]): string[] {
  const count = database.prepare(
    `SELECT count(*) AS count FROM (SELECT 1 FROM texts WHERE texts MATCH ? LIMIT ${mostWeighed + 1})`,
  );
  const counted = words
    .map((word) => ({ word, count: Number(count.get(word)?.count) }))
    .filter((one) => one.count > 0)
    .sort((a, b) => a.count - b.count);
  let total = 0;
  const telling = counted.filter((one, index) => {
    total += one.count;
    return index === 0 || total <= mostWeighed;
  });
  return telling.length === 0 ? [...words] : telling.map(({ word }) => word);
}

function toHit(database: DatabaseSync, { any }: TextQuestion, { number, row }: Place): ThreadHit {
  const thread = database
    .prepare(`SELECT ${threadColumns} FROM threads WHERE number = ?`)
    .get(number);
  const found = database
    .prepare(
      "SELECT snippet(texts, 0, '', '', '…', 24) AS snippet FROM texts WHERE texts MATCH ? AND rowid = ?",
    )
    .get(any, row);
  if (thread === undefined) throw new Error(`There is no thread ${number}.`);
  const place = Number(row) % rowsPerThread;
  const isEntry = place > 0 && place % 2 === 0;
  return {
    thread: fromThreadRow(thread),
    snippet: clip(String(found?.snippet ?? "")),
    ...(isEntry && { at: place / 2 }),
  };
}

const longestSnippet = 200;

function clip(snippet: string): string {
  const line = snippet.replaceAll(/\s+/gu, " ").trim();
  if (line.length <= longestSnippet) return line;
  return `${line.slice(0, longestSnippet - 1).toWellFormed()}…`;
}
