import type { DatabaseSync } from "node:sqlite";
import type { Usage } from "../loop/agent-event.ts";
import { rowsPerThread } from "./thread-layout.ts";
import type { UsageFilter, UsageOfDay, UsagePeriod } from "./threads.ts";

// What a fork copied was paid for by the thread that it began as.
const query = `
  WITH RECURSIVE chosen (id) AS (
    VALUES (?1)
    UNION SELECT below.id FROM threads AS below JOIN chosen ON below.parent = chosen.id
      WHERE below.fork_of IS NULL
  )
  SELECT
    coalesce(sum(json_extract(body, '$.usage.input_tokens')), 0) AS input_tokens,
    coalesce(sum(json_extract(body, '$.usage.output_tokens')), 0) AS output_tokens,
    coalesce(sum(json_extract(body, '$.usage.cached_tokens')), 0) AS cached_tokens,
    sum(json_extract(body, '$.usage.cost')) AS cost
  FROM threads JOIN entries
    ON entries.id > threads.number * ${rowsPerThread}
    AND entries.id < (threads.number + 1) * ${rowsPerThread}
  WHERE kind = 'assistant' AND threads.updated_at >= ?2 AND time >= ?2
    AND (fork_of IS NULL OR time > forked_at)
    AND (?1 IS NULL OR threads.id IN (SELECT id FROM chosen))
    AND (?3 IS NULL OR json_extract(body, '$.agent') = ?3)`;

/** Sums the usage that is stored with the answers of models. */
export function readUsage(
  database: DatabaseSync,
  { session, since = 0, agent }: UsageFilter,
): Usage {
  const row = database.prepare(query).get(session ?? null, since, agent ?? null);
  return {
    input_tokens: Number(row?.input_tokens),
    output_tokens: Number(row?.output_tokens),
    cached_tokens: Number(row?.cached_tokens),
    ...(row?.cost != null && { cost: Number(row.cost) }),
  };
}

const queryByDay = `
  SELECT date(time / 1000, 'unixepoch') AS day, json_extract(body, '$.agent') AS agent,
    json_extract(body, '$.model') AS model, count(*) AS requests,
    coalesce(sum(json_extract(body, '$.usage.input_tokens')), 0) AS input_tokens,
    coalesce(sum(json_extract(body, '$.usage.output_tokens')), 0) AS output_tokens,
    coalesce(sum(json_extract(body, '$.usage.cached_tokens')), 0) AS cached_tokens,
    sum(json_extract(body, '$.usage.cost')) AS cost,
    count(json_extract(body, '$.usage.cost')) AS priced
  FROM threads JOIN entries
    ON entries.id > threads.number * ${rowsPerThread}
    AND entries.id < (threads.number + 1) * ${rowsPerThread}
  WHERE kind = 'assistant' AND threads.updated_at >= ?1 AND time >= ?1 AND time < ?2
    AND (fork_of IS NULL OR time > forked_at)
    AND (?3 IS NULL OR workspace = ?3)
    AND (?4 IS NULL OR json_extract(body, '$.agent') = ?4)
  GROUP BY day, agent, model ORDER BY day, agent, model`;

/** Sums the usage of each day by agent and model. */
export function readUsageByDay(
  database: DatabaseSync,
  { since = 0, until = Number.MAX_SAFE_INTEGER, workspace, agent }: UsagePeriod,
): UsageOfDay[] {
  return database
    .prepare(queryByDay)
    .all(since, until, workspace ?? null, agent ?? null)
    .map((row) => ({
      day: String(row.day),
      agent: String(row.agent),
      model: String(row.model),
      requests: Number(row.requests),
      input_tokens: Number(row.input_tokens),
      output_tokens: Number(row.output_tokens),
      cached_tokens: Number(row.cached_tokens),
      ...(row.priced === row.requests && { cost: Number(row.cost) }),
    }));
}
