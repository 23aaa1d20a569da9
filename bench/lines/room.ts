import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createHistory, defaultSettings, newId, openStore } from "@haft/platform/internal";
import type { Finding, Line } from "../line.ts";
import { median } from "../measure.ts";

const rows = 50_000;
const writers = 32;
const dayMs = 24 * 60 * 60 * 1000;

/** The file of a history most of which has expired, and what its deletion costs those who write meanwhile. */
export const room: Line = {
  name: "room",
  run: async () => {
    const directory = mkdtempSync(join(tmpdir(), "haft-bench-"));
    const path = join(directory, "haft.db");
    const store = await openStore({ kind: "sqlite", path });
    let clock = Date.now();
    const settings = { ...defaultSettings, historyDays: 30 };
    const history = createHistory({ store, settings, processId: newId(), now: () => clock });
    const [organization, tool] = [newId(), newId()];
    const write = async (index: number): Promise<number> => {
      const row = toRow(index, { organization, tool, at: clock });
      const start = performance.now();
      await history.begin(row).end(row);
      return performance.now() - start;
    };
    const writeMany = async (isLast: (index: number) => boolean): Promise<number[]> => {
      const times: number[] = [];
      let next = 0;
      const writeSome = async (): Promise<void> => {
        while (!isLast(next)) times.push(await write(next++));
      };
      await Promise.all(Array.from({ length: writers }, writeSome));
      return times;
    };
    try {
      const calm = await writeMany((index) => index >= rows);
      const full = statSync(path).size;
      clock += 31 * dayMs;
      let isTidying = true;
      const tidying = history.tidy().finally(() => {
        isTidying = false;
      });
      const busy = await writeMany((index) => !isTidying && index >= rows / 10);
      await tidying;
      await history.tidy();
      return [compareSizes(path, full), compareWrites(calm, busy)];
    } finally {
      await history.close();
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

function compareSizes(path: string, full: number): Finding {
  const copy = `${path}-copy`;
  const database = new DatabaseSync(path);
  database.exec(`vacuum into '${copy}'`);
  database.close();
  const [after, live] = [path, copy].map((name) => statSync(name).size) as [number, number];
  return {
    line: "the SQLite file after most of its history has expired",
    values: [
      { name: "before", value: full / 1e6 },
      { name: "after", value: after / 1e6 },
      { name: "live data", value: live / 1e6 },
    ],
    unit: "MB",
    figure: after / live,
    meaning: "after ÷ live data",
    goal: 1.3,
  };
}

function compareWrites(calm: readonly number[], busy: readonly number[]): Finding {
  const tail = (times: readonly number[]): number =>
    times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
  return {
    line: `a record, ${writers} at a time, while old ones are deleted`,
    values: [
      { name: "p50 before", value: median(calm) },
      { name: "p99 before", value: tail(calm) },
      { name: "p99 meanwhile", value: tail(busy) },
    ],
    unit: "ms",
    figure: tail(busy) / tail(calm),
    meaning: "p99 meanwhile ÷ p99 before",
    goal: 4,
  };
}

function toRow(
  index: number,
  { organization, tool, at }: { readonly organization: string; readonly tool: string; at: number },
): Parameters<ReturnType<typeof createHistory>["begin"]>[0] &
  Parameters<ReturnType<ReturnType<typeof createHistory>["begin"]>["end"]>[0] {
  const words = Array.from({ length: 40 }, (_, word) => `word${(index * 7 + word * 13) % 5_000}`);
  return {
    ...{ id: newId(), org_id: organization, tool_id: tool, major: 1, minor: 0, patch: 0 },
    ...{ source_type: "direct", user_id: null, mode: "regular", succeeded: 1 },
    output: words.join(" "),
    // Some inputs are large.
    inputs: JSON.stringify({ text: index % 50 === 0 ? words.join(" ").repeat(60) : "short" }),
    ...{ duration_ms: 3, created_at: at, updated_at: at },
  };
}
