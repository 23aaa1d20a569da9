import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createHistory,
  defaultSettings,
  invocationRoutes,
  type NewInvocation,
  newId,
  openStore,
  type Route,
  type Store,
} from "@haft/platform/internal";
import type { Finding, Line } from "../line.ts";
import { median } from "../measure.ts";

const rows = 1_000_000;
const part = 100_000;
const writers = 32;
const reads = 31;

const vocabulary = 20_000;
const rareWord = "wombat";
const commonWord = "word0";

/** A long history: writing must not slow down, a page and a search must stay quick. */
export const history: Line = {
  name: "history",
  run: async () => {
    const directory = mkdtempSync(join(tmpdir(), "haft-bench-"));
    const store = await openStore({ kind: "sqlite", path: join(directory, "haft.db") });
    try {
      const organization = newId();
      const { rates, costs } = await write(store, organization);
      return [
        compareParts(rates, { unit: "rows/s", meaning: "first ÷ last" }),
        // The same where the machine does other things, too.
        compareParts(costs.toReversed(), { unit: "µs of processor time", meaning: "last ÷ first" }),
        ...(await read(store, organization)),
      ];
    } finally {
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

function compareParts(
  parts: readonly number[],
  { unit, meaning }: { readonly unit: string; readonly meaning: string },
): Finding {
  const [one, other] = [parts[0] ?? Number.NaN, parts.at(-1) ?? Number.NaN];
  const names = meaning.split(" ÷ ");
  return {
    line: `${rows.toLocaleString("en")} invocations written, ${writers} at a time`,
    values: [
      { name: `the ${names[0]} ${part.toLocaleString("en")}`, value: one },
      { name: `the ${names[1]} ${part.toLocaleString("en")}`, value: other },
    ],
    unit,
    figure: one / other,
    meaning,
    goal: 1.1,
  };
}

/** How many rows a second each part took, and microseconds of processor time per row. */
async function write(
  store: Store,
  organization: string,
): Promise<{ readonly rates: readonly number[]; readonly costs: readonly number[] }> {
  const parts = { store, settings: defaultSettings, processId: newId(), now: Date.now };
  const recorder = createHistory(parts);
  const make = createRows(organization);
  const [rates, costs]: [number[], number[]] = [[], []];
  for (let from = 0; from < rows; from += part) {
    let next = from;
    const writeSome = async (): Promise<void> => {
      while (next < from + part) {
        const row = make(next++);
        await recorder.begin(row).end(row);
      }
    };
    const [start, used] = [performance.now(), process.cpuUsage()];
    await Promise.all(Array.from({ length: writers }, writeSome));
    rates.push((part * 1000) / (performance.now() - start));
    const { user, system } = process.cpuUsage(used);
    costs.push((user + system) / part);
  }
  await recorder.close();
  return { rates, costs };
}

/** Asks the API itself, as it would be asked over HTTP. */
async function read(store: Store, organization: string): Promise<Finding[]> {
  const routes = invocationRoutes({
    store,
    audit: { record: async () => undefined, recordAlone: async () => undefined },
    now: Date.now,
  }) as Route[];
  const principal = { organization, userId: "", keyId: "", role: "", may: () => true };
  const filters = {
    tool_id: [],
    version: [],
    invocation_source_type: [],
    conversation_id: [],
    simulation_unit_test_set_run_id: [],
    sort_by: [],
    limit: 100,
    query_against: ["output", "exception_message", "exception_type", "exception_stack_trace"].map(
      (field) => `invocation_status.${field}`,
    ),
  };
  const time = async (operationId: string, query: object): Promise<number> => {
    const route = routes.find((each) => each.operationId === operationId);
    const times: number[] = [];
    for (let made = 0; made < reads; made++) {
      const start = performance.now();
      await route?.handle({
        principal,
        params: { organization },
        query: { ...filters, continuation_token: (rows / (reads + 1)) * made, ...query },
        body: undefined,
        headers: {},
        signal: new AbortController().signal,
      });
      times.push(performance.now() - start);
    }
    return median(times);
  };
  const search = (query: string): Promise<number> => time("search-tool-invocations", { query });
  const cases: readonly (readonly [name: string, ms: number])[] = [
    ["a page of 100", await time("get-tool-invocations", {})],
    ["a page of those that failed", await time("get-tool-invocations", { succeeded: false })],
    ["search for a rare word", await search(rareWord)],
    ["search for a common word", await search(commonWord)],
    ["search for both", await search(`${commonWord} ${rareWord}`)],
    ["search for a phrase", await search(`"${commonWord} word1"`)],
  ];
  return cases.map(([name, ms]) => ({
    line: `${name}, of ${rows.toLocaleString("en")} invocations`,
    values: [{ name: "median", value: ms }],
    unit: "ms",
    figure: ms,
    meaning: "ms",
    goal: 50,
  }));
}

/** Outputs of some 300 characters; some words are used far more often than others. */
function createRows(organization: string): (index: number) => NewInvocation {
  const tools = Array.from({ length: 20 }, () => newId());
  const user = newId();
  let seed = 12_345;
  const random = (): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return seed / 0x7fff_ffff;
  };
  const pickWords = (count: number): string =>
    Array.from({ length: count }, () => `word${Math.floor(random() ** 3 * vocabulary)}`).join(" ");
  const texts = Array.from({ length: 10_000 }, () => pickWords(35));
  return (index) => {
    const text = texts[index % texts.length] as string;
    const at = Date.now();
    const common = {
      id: newId(),
      org_id: organization,
      tool_id: tools[index % tools.length] as string,
      major: 1,
      minor: index % 3,
      patch: 0,
      source_type: "direct",
      user_id: user,
      mode: "regular",
      inputs: JSON.stringify({ city: "Berlin", days: index % 14 }),
      duration_ms: index % 500,
      created_at: at,
      updated_at: at,
    } as const;
    if (index % 50 !== 7) {
      const output = index % 50_000 === 0 ? `${text} ${rareWord}` : `${text} ${index}`;
      return { ...common, succeeded: 1, output };
    }
    return {
      ...common,
      succeeded: 0,
      exception_type: "TypeError",
      exception_message: text.slice(0, 100),
      exception_stack_trace: JSON.stringify(["at runTool (tool.js:12:3)", "at call (main.js:4:7)"]),
    };
  };
}
