import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Kysely } from "kysely";
import type { PayloadPart } from "../store/room-rows.ts";
import type { InvocationPayloadRow, Tables } from "../store/schema.ts";
import type { NewInvocation } from "./history.ts";

// A shorter text stays in its row. This one takes two pages of SQLite, and a quarter of that here.
const maxRowCharacters = 8 * 1024;

const excerptLength = 200;

/** Returns as much of a text as lists show. */
export function toExcerpt(text: string): string {
  return text.slice(0, excerptLength).toWellFormed();
}

const parts: readonly PayloadPart[] = ["inputs", "output", "printed"];

/** A row and its large payloads, which are stored apart from it so that reading rows stays quick. */
export interface SplitRow {
  readonly row: NewInvocation;
  readonly payloads: readonly InvocationPayloadRow[];
}

/** Splits large payloads from a row. */
export function splitPayloads(row: NewInvocation): SplitRow {
  const large = parts.filter((part) => (row[part]?.length ?? 0) > maxRowCharacters);
  if (large.length === 0) return { row, payloads: [] };
  // Lists show the beginning of an output.
  const cut = Object.fromEntries(
    large.map((part) => [part, part === "output" ? toExcerpt(row[part] ?? "") : ""]),
  );
  return {
    row: { ...row, ...cut, apart: large.join() },
    payloads: large.map((part) => ({
      id: row.id,
      part,
      data: zstdCompressSync(row[part] as string),
    })),
  };
}

type Payloads = { readonly [Part in PayloadPart]?: string | null };

/** Returns rows with their large payloads, of those that the rows have. */
export async function joinPayloads<
  Row extends Payloads & { readonly id: string; readonly apart: string | null },
>(db: Kysely<Tables>, rows: readonly Row[]): Promise<readonly Row[]> {
  const ids = rows.filter(listApart).map(({ id }) => id);
  if (ids.length === 0) return rows;
  const wanted = parts.filter((part) => rows.some((row) => row[part] !== undefined));
  const found = await db
    .selectFrom("invocation_payloads")
    .selectAll()
    .where("id", "in", ids)
    .where("part", "in", wanted)
    .execute();
  const byId = Map.groupBy(found, ({ id }) => id);
  return rows.map((row) => {
    if (!listApart(row)) return row;
    const texts = (byId.get(row.id) ?? []).map(({ part, data }) => [part, expand(data)]);
    return { ...row, ...Object.fromEntries(texts) };
  });
}

/** Deletes the large payloads of invocations. */
export async function deletePayloads(db: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.deleteFrom("invocation_payloads").where("id", "in", ids).execute();
}

function listApart({ apart }: { readonly apart: string | null }): boolean {
  return apart !== null;
}

// What is damaged is shown as missing, like other damaged columns.
function expand(data: Uint8Array): string {
  try {
    return zstdDecompressSync(data).toString();
  } catch {
    return "";
  }
}
