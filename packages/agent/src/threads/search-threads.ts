import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { clipText } from "@haft/contract/internal";
import { rowsPerThread, threadColumns } from "./thread-layout.ts";
import { fromThreadRow } from "./thread-row.ts";
import type { ThreadFilter, ThreadHit } from "./threads.ts";

/** Finds threads that contain all words, or any of them if none contains all. Best matches first. */
export function searchThreads(
  database: DatabaseSync,
  query: string,
  filter: ThreadFilter,
): ThreadHit[] {
  const question = toTextQuestion(query);
  if (question === undefined) return [];
  const all = findMatches(database, question, { filter, needsAll: true });
  const isEnough = all.length > 0 || question.words.length === 1;
  const places = isEnough ? all : findMatches(database, question, { filter, needsAll: false });
  return places.map((place) => toHit(database, question, place));
}

/** The best match in a thread. */
interface Match {
  readonly number: number;
  readonly row: bigint;
}

interface Scope {
  readonly filter: ThreadFilter;
  /** Requires each word somewhere in the thread. */
  readonly needsAll: boolean;
}

const threadOfText = `rowid / ${rowsPerThread}`;

// The number of matches is limited before ranking, because ranking takes the time.
const maxWeighed = 3000;

function findMatches(database: DatabaseSync, question: TextQuestion, scope: Scope): Match[] {
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
      ORDER BY rowid DESC LIMIT ${maxWeighed})
    SELECT row, number, min(score) AS best FROM found
    GROUP BY number ORDER BY best, number DESC LIMIT ?`);
  const telling = chooseTelling(database, question.words).join(" OR ");
  return statement.all(...values, telling, limit).map((row) => ({
    number: Number(row.number),
    row: BigInt(row.row as number),
  }));
}

// The rarest words distinguish threads best.
function chooseTelling(database: DatabaseSync, words: readonly string[]): string[] {
  const count = database.prepare(
    `SELECT count(*) AS count FROM (SELECT 1 FROM texts WHERE texts MATCH ? LIMIT ${maxWeighed + 1})`,
  );
  const counted = words
    .map((word) => ({ word, count: Number(count.get(word)?.count) }))
    .filter((one) => one.count > 0)
    .sort((a, b) => a.count - b.count);
  let total = 0;
  const telling = counted.filter((one, index) => {
    total += one.count;
    return index === 0 || total <= maxWeighed;
  });
  return telling.length === 0 ? [...words] : telling.map(({ word }) => word);
}

function toHit(database: DatabaseSync, { any }: TextQuestion, { number, row }: Match): ThreadHit {
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
    snippet: toShortLine(String(found?.snippet ?? "")),
    ...(isEntry && { at: place / 2 }),
  };
}

const maxSnippetLength = 200;

function toShortLine(snippet: string): string {
  return clipText(snippet.replaceAll(/\s+/gu, " ").trim(), maxSnippetLength);
}

/** A query in the syntax of the full-text index. */
interface TextQuestion {
  /** One expression per word. */
  readonly words: readonly string[];
  /** Any of the words. */
  readonly any: string;
}

const maxWords = 16;
const maxWordLength = 100;
const shortestPrefix = 3;

/** Converts plain words to a query. Returns `undefined` if there are none. */
function toTextQuestion(query: string): TextQuestion | undefined {
  // Every word is quoted, so that no character in it is an operator.
  const words = [...new Set(query.slice(0, maxWords * maxWordLength).split(/[\s"\p{C}]+/u))]
    .map((word) => word.slice(0, maxWordLength).toWellFormed())
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, maxWords);
  if (words.length === 0) return undefined;
  const quoted = words.map((word, index) => {
    // The last word may be incomplete.
    const isPrefix = index === words.length - 1 && word.length >= shortestPrefix;
    return `"${word}"${isPrefix ? "*" : ""}`;
  });
  return { words: quoted, any: quoted.join(" OR ") };
}
