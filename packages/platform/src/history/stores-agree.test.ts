import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { newId } from "../new-id.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { newDatabase } from "../test-support/postgres.ts";
import type { NewInvocation } from "./history.ts";
import { matchesQuery, searchFields, toSearchQuery } from "./search-query.ts";
import { failedWith, type HistoryBench, openHistory } from "./test-support/open-history.ts";

const word = fc.constantFrom(
  ...[
    "a",
    "b",
    "ab",
    "A1",
    "é",
    "e\u0301",
    "ß",
    "İ",
    "ﬁ",
    "東京",
    "京",
    "🚀",
    "👩‍🚀",
    "1e5",
    "3.14",
  ],
  ...["-7", "x_y", "a@b.c", "http://a/b?c=d", "C:\\new", "\\n", "'", '"', "''", "\0", "\ud800"],
  ...["<->", "&", "|", "!", ":*", "#o", "x".repeat(600), "é".repeat(600), "ς", "Σ", "²", "½", "ก็"],
);
const text = fc
  .array(word, { maxLength: 8 })
  .chain((words) => fc.constantFrom(" ", "", ", ", "\n").map((between) => words.join(between)));
const row: fc.Arbitrary<Partial<NewInvocation>> = fc.oneof(
  text.map((output) => ({ output })),
  text.map((said) => ({ output: JSON.stringify({ said }) })),
  fc
    .tuple(text, text, fc.array(text, { maxLength: 3 }))
    .map(([type, message, stack]) => failedWith(type, message, stack)),
  fc.tuple(text, text, text).map(([output, stdout, stderr]) => ({
    ...{ output, printed: printed(stdout, stderr) },
  })),
);
const query = fc.oneof(
  word,
  fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" ")),
  fc.array(word, { minLength: 2, maxLength: 3 }).map((words) => `"${words.join(" ")}"`),
);
const everywhere = [...searchFields, "logs"] as const;
const fields = fc.subarray([...everywhere], { minLength: 1 });

describe.skipIf(isMissing("pg_ctlcluster"))("SQLite and PostgreSQL", () => {
  let directory: string;
  const all: Store[] = [];

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "haft-history-"));
    all.push(await openStore({ kind: "sqlite", path: join(directory, "haft.db") }));
    all.push(await openStore({ kind: "postgres", url: await newDatabase() }));
  }, 60_000);
  afterAll(async () => {
    for (const store of all) await store.close();
    rmSync(directory, { recursive: true });
  });

  /** Records the same on both and returns what searches the one and the other. */
  async function plant(
    rows: readonly Partial<NewInvocation>[],
  ): Promise<(text: string, fields: readonly string[]) => Promise<(number[] | number)[]>> {
    const organization = newId();
    const given = rows.map((each) => ({ ...each, id: newId() }));
    const callers: Pick<HistoryBench, "call" | "record">[] = [];
    for (const store of all) {
      const bench = openHistory(store);
      const caller = bench.enter(organization);
      await caller.record(...given);
      await bench.history.close();
      callers.push(caller);
    }
    return (asked, against) =>
      Promise.all(
        callers.map(async (caller) => {
          const query_against = against.map((field) =>
            field === "logs" ? field : `invocation_status.${field}`,
          );
          try {
            const found = await caller.call<{
              tool_invocations: { id: string }[];
            }>("search-tool-invocations", {
              query: { query: asked, query_against },
            });
            return found.tool_invocations.map(({ id }) => given.findIndex((one) => one.id === id));
          } catch (error) {
            return (error as { status: number }).status;
          }
        }),
      );
  }

  it("find the same, which is what was meant", async () => {
    const rows = fc.sample(row, { numRuns: 300, seed: 7 });
    const search = await plant(rows);
    let hits = 0;
    for (const [asked, against] of fc.sample(fc.tuple(query, fields), {
      numRuns: 200,
      seed: 8,
    })) {
      const [one, other] = await search(asked, against);
      expect(one, asked).toEqual(other);
      expect(one, asked).toEqual(findByHand(rows, asked, against));
      if (Array.isArray(one)) hits += one.length;
    }
    expect(hits).toBeGreaterThan(200);
  }, 60_000);

  it("find phrases in texts that are longer than PostgreSQL can keep places of", async () => {
    const filler = "filler ".repeat(3000);
    const search = await plant([
      { output: `${"tick tock ".repeat(300)}tick last` },
      { output: `${"tick tock ".repeat(300)}last` },
      failedWith("E", `${filler.repeat(2)}deep down`, [`${filler.repeat(2)}deep under`]),
      failedWith("E", `${filler.repeat(2)}down`, [`${filler.repeat(2)}deep`]),
      { output: "", printed: printed(`${filler.repeat(2)}far below`, "sea level") },
      { output: "far", printed: printed(`${filler.repeat(2)}below far`, "sea level") },
    ]);
    const expectBoth = async (asked: string, ...expected: number[]): Promise<void> => {
      for (const found of await search(asked, everywhere)) expect(found, asked).toEqual(expected);
    };
    await expectBoth('"tick last"', 0);
    await expectBoth('"tock last"', 1);
    await expectBoth("tick last", 1, 0);
    await expectBoth('"deep down"', 2);
    await expectBoth('"deep under"', 2);
    await expectBoth("deep down", 3, 2);
    await expectBoth('"far below"', 4);
    await expectBoth("far below", 5, 4);
    // The streams do not follow each other.
    await expectBoth('"below sea"');
    const [one, other] = await search("down", ["exception_stack_trace"]);
    expect([one, other]).toEqual([[], []]);
  });
});

/** What a tool printed, as it is stored. */
function printed(stdout: string, stderr: string): string {
  const toStream = (text: string): object => ({ text, omittedCharacters: 0 });
  return JSON.stringify({ stdout: toStream(stdout), stderr: toStream(stderr) });
}

/** The same without an index. */
function findByHand(
  rows: readonly Partial<NewInvocation>[],
  asked: string,
  against: readonly (typeof everywhere)[number][],
): number[] | number {
  try {
    const columns = against.filter((field) => field !== "logs");
    const wanted = toSearchQuery(asked, columns, against.includes("logs"));
    const found = rows.flatMap((each, index) => {
      const full = {
        output: each.output ?? null,
        exception_message: each.exception_message ?? null,
        exception_type: each.exception_type ?? null,
        exception_stack_trace: each.exception_stack_trace ?? null,
        printed: each.printed ?? null,
      };
      return matchesQuery(wanted, full) ? [index] : [];
    });
    return found.toReversed().slice(0, 100);
  } catch {
    return 422;
  }
}
