import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@haft/platform/internal";
import type { Finding, Line } from "../line.ts";
import { median } from "../measure.ts";
import {
  commonWord,
  plantedDays,
  plantInvocations,
  rareError,
  rareWord,
} from "../plant-invocations.ts";
import { type ServedProgram, serveProgram } from "../serve-program.ts";

// HAFT_BENCH_INVOCATIONS=1000000 measures with a million, which take some minutes to write and 3 GB.
// HAFT_BENCH_DIRECTORY=DIR keeps them in DIR, and uses those of an earlier run.
const rows = Number(process.env.HAFT_BENCH_INVOCATIONS ?? 50_000);
const kept = process.env.HAFT_BENCH_DIRECTORY;
const reads = 9;
const pageGoalMs = 100;
const countGoalMs = 1_000;
const dayMs = 86_400_000;

/** What the console asks of a long history, over HTTP, and what others wait meanwhile. */
export const consoleLine: Line = {
  name: "console",
  run: async () => {
    const data = kept ?? mkdtempSync(join(tmpdir(), "haft-bench-"));
    mkdirSync(data, { recursive: true, mode: 0o700 });
    try {
      const tools = await plant(data);
      const served = await serveProgram(data);
      try {
        return await measure(served, tools);
      } finally {
        await served.stop();
      }
    } finally {
      if (kept === undefined) rmSync(data, { recursive: true, force: true });
    }
  },
};

/** Writes the invocations, unless an earlier run has. Returns the IDs of the tools. */
async function plant(data: string): Promise<readonly string[]> {
  await (await serveProgram(data)).stop();
  const { organization } = JSON.parse(readFileSync(join(data, "credentials.json"), "utf8"));
  const store = await openStore({ kind: "sqlite", path: join(data, "haft.db") });
  try {
    const tools = await store.db.selectFrom("tools").select("id").orderBy("id").execute();
    if (tools.length > 0) return tools.map(({ id }) => id);
    return (await plantInvocations(store, organization, { rows })).tools;
  } finally {
    await store.close();
  }
}

async function measure(served: ServedProgram, tools: readonly string[]): Promise<Finding[]> {
  const now = Date.now();
  const ago = (days: number): string => new Date(now - days * dayMs).toISOString();
  const middle = `continuation_token=${now - (plantedDays / 2) * dayMs}-1`;
  const [first, last] = [tools[0], tools.at(-1)];
  const lists: Readonly<Record<string, string>> = {
    "the first page": "",
    "a page from the middle": middle,
    "a page of the last days": `from=${ago(plantedDays - 1)}&to=${ago(plantedDays - 2)}`,
    "a page of failures": "succeeded=false",
    "a page of one tool": `tool_id=${last}`,
    "a page without several tools and sources": `not_tool_id=${first}&not_tool_id=${last}&not_source=mcp&not_user_id=user-0`,
    "a page of an old version by two keys": "version=1.0.0&api_key=key-3&api_key=key-7",
    "a page of a rare error": `error=${rareError}`,
    "a page of what nothing is": "version=7.0.0",
    "a page of many filters": `tool_id=${last}&not_version=1.4.0&not_api_key=key-0&source=schedule&succeeded=false`,
    "a search for a rare word": `query=${rareWord}`,
    "a search for a common word": `query=${commonWord}`,
    "a search for a common word of one tool by a key": `query=${commonWord}&tool_id=${last}&api_key=key-29`,
    "a search for a phrase of an old day": `query=${encodeURIComponent(`"${commonWord} word1"`)}&from=${ago(20)}&to=${ago(19)}`,
    "a search for what an error and a word say": `query=${commonWord}&error=${rareError}`,
  };
  const counts: Readonly<Record<string, string>> = {
    "the chart of all": "volume?",
    "the chart of what a filter leaves out": `volume?not_tool_id=${first}&not_source=mcp&not_user_id=user-0`,
    "the chart of a search": `volume?query=${commonWord}`,
    "the chart of a rare error": `volume?error=${rareError}`,
    "the counts by version of all days": "statistics?group_by=version",
    "the counts by version of the last days": `statistics?group_by=version&from=${ago(7)}`,
    "the counts by tool of the last day": `statistics?group_by=tool&from=${ago(1)}`,
    "the counts by caller of one tool": `statistics?group_by=caller&tool_id=${first}&from=${ago(plantedDays)}`,
    "the counts by caller of all": "statistics?group_by=caller",
  };
  const findings: Finding[] = [];
  for (const [name, query] of Object.entries(lists)) {
    findings.push(await time(served, { name, path: `summary?${query}`, goal: pageGoalMs }));
  }
  for (const [name, path] of Object.entries(counts)) {
    findings.push(await time(served, { name, path, goal: countGoalMs }));
  }
  findings.push(await timeOthers(served, Object.values(counts)));
  return findings;
}

const root = "/tool/invocation/";

async function time(
  served: ServedProgram,
  { name, path, goal }: { readonly name: string; readonly path: string; readonly goal: number },
): Promise<Finding> {
  const times: number[] = [];
  for (let made = 0; made < reads; made++) {
    const start = performance.now();
    await served.ask(root + path);
    times.push(performance.now() - start);
  }
  return {
    line: `${name}, of ${rows.toLocaleString("en")} invocations`,
    values: [
      { name: "median", value: median(times) },
      { name: "slowest", value: Math.max(...times) },
    ],
    unit: "ms",
    figure: median(times),
    meaning: "ms",
    goal,
  };
}

/** How long others wait for a small answer while the server counts. */
async function timeOthers(served: ServedProgram, counts: readonly string[]): Promise<Finding> {
  const ask = async (): Promise<number> => {
    const start = performance.now();
    await served.ask("/tool/?limit=1");
    return performance.now() - start;
  };
  const calm: number[] = [];
  for (let made = 0; made < 100; made++) calm.push(await ask());
  let isCounting = true;
  const counting = Promise.all(counts.map((path) => served.ask(root + path))).finally(() => {
    isCounting = false;
  });
  const busy: number[] = [];
  while (isCounting) busy.push(await ask());
  await counting;
  return {
    line: "a small answer while charts are counted",
    values: [
      { name: "median before", value: median(calm) },
      { name: "median meanwhile", value: median(busy) },
      { name: "slowest meanwhile", value: Math.max(...busy) },
    ],
    unit: "ms",
    figure: Math.max(...busy),
    meaning: "ms",
    goal: 50,
  };
}
