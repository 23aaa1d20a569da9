import autocannon, { type Result } from "autocannon";
import { type InvokePeer, makeInvokeBody, startInvokePeer } from "../invoke-peer.ts";
import type { Finding, Line } from "../line.ts";
import { median } from "../measure.ts";

const rounds = 5;
const connections = 32;

type Kind = "bare" | "haft" | "reused";

/**
 * A warm invocation with all that belongs to it, over an answer of node:http that does nothing, and
 * over an invocation that shares its process's state with others.
 */
export const invoke: Line = {
  name: "invoke",
  run: async () => {
    const bare = await startInvokePeer("bare");
    const haft = await startInvokePeer("haft");
    const reused = await startInvokePeer("reused");
    try {
      const rates: Record<Kind, number[]> = { bare: [], haft: [], reused: [] };
      const [middle, tail]: [number[], number[]] = [[], []];
      for (let round = 0; round <= rounds; round++) {
        const first = await load(bare);
        const second = await load(haft);
        const third = await load(reused);
        // The first round warms up.
        if (round === 0) continue;
        rates.bare.push(first.requests.average);
        rates.haft.push(second.requests.average);
        rates.reused.push(third.requests.average);
        middle.push(second.latency.p50);
        tail.push(second.latency.p99);
      }
      return [
        compareRates(rates),
        compareReuse(rates),
        compareLatencies(median(middle), median(tail)),
      ];
    } finally {
      bare.stop();
      haft.stop();
      reused.stop();
    }
  },
};

function compareRates({ bare, haft }: Record<Kind, number[]>): Finding {
  return {
    line: `a warm invocation over HTTP, ${connections} connections`,
    values: [
      { name: "bare node:http", value: median(bare) },
      { name: "haft invocation", value: median(haft) },
    ],
    unit: "requests/s",
    figure: median(bare) / median(haft),
    meaning: "bare node:http ÷ haft invocation",
    // 0.35 of the bare rate.
    goal: 2.86,
  };
}

function compareReuse({ haft, reused }: Record<Kind, number[]>): Finding {
  return {
    line: "a warm invocation that finds nothing of the one before",
    values: [
      { name: 'with "reuse": "process"', value: median(reused) },
      { name: "by default", value: median(haft) },
    ],
    unit: "requests/s",
    figure: median(reused) / median(haft),
    meaning: '"reuse": "process" ÷ by default',
    goal: 2,
  };
}

function compareLatencies(p50: number, p99: number): Finding {
  return {
    line: "the slowest of warm invocations",
    values: [
      { name: "p50", value: p50 },
      { name: "p99", value: p99 },
    ],
    unit: "ms",
    // It counts whole milliseconds only.
    figure: p99 / Math.max(p50, 1),
    meaning: "p99 ÷ p50",
    goal: 4,
  };
}

async function load({ urls, headers }: InvokePeer): Promise<Result> {
  const [url = ""] = urls;
  const result = await autocannon({
    url,
    method: "POST",
    headers,
    body: makeInvokeBody(),
    connections,
    duration: 3,
  });
  if (result.non2xx + result.errors > 0) throw new Error(`Some invocations of ${url} failed.`);
  return result;
}
