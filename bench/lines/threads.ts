import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openThreads, type Thread, type Threads } from "@haft/agent/threads";
import type { Finding, Line } from "../line.ts";
import { median } from "../measure.ts";

const longCalls = 10_000;
const threadCount = 1_000;
const reads = 31;
const contextCharacters = 400_000;

/** Threads that grew long, and that became many. */
export const threads: Line = {
  name: "threads",
  run: async () => {
    const directory = mkdtempSync(join(tmpdir(), "haft-bench-"));
    const path = join(directory, "threads.db");
    try {
      const store = await openThreads(path);
      fill(openNamed(store, "long"), longCalls);
      for (let index = 0; index < threadCount; index++) {
        fill(openNamed(store, `thread-${index}`), 5);
      }
      store.close();
      return [await openLong(path), await search(path)];
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

async function openLong(path: string): Promise<Finding> {
  const times: number[] = [];
  for (let read = 0; read < reads; read++) {
    const start = performance.now();
    const store = await openThreads(path);
    const thread = openNamed(store, "long");
    if (thread.latest(contextCharacters).length === 0) throw new Error("Nothing was read.");
    times.push(performance.now() - start);
    thread.close();
    store.close();
  }
  return toFinding(`a thread of ${longCalls.toLocaleString("en")} calls is opened`, times, 100);
}

async function search(path: string): Promise<Finding> {
  const store = await openThreads(path);
  const times: number[] = [];
  for (let read = 0; read < reads; read++) {
    const start = performance.now();
    const found = store.search(`wombat${(read * 37) % threadCount} login`, { limit: 10 });
    times.push(performance.now() - start);
    if (found.length === 0) throw new Error("Nothing was found.");
  }
  store.close();
  return toFinding(`one of ${threadCount.toLocaleString("en")} threads is found`, times, 50);
}

function toFinding(line: string, times: readonly number[], goal: number): Finding {
  const figure = median(times);
  return {
    line,
    values: [{ name: "haft", value: figure }],
    unit: "ms",
    figure,
    meaning: "median, ms",
    goal,
  };
}

function openNamed(store: Threads, name: string): Thread {
  return store.open({ id: `bench/${name}`, name, workspace: "/bench" });
}

function fill(thread: Thread, calls: number): void {
  const { name } = thread.facts;
  const word = name.replace("thread-", "wombat");
  thread.append({ kind: "user", content: [{ type: "text", text: `Repair the ${word} login.` }] });
  for (let call = 0; call < calls; call++) {
    const callId = `${name}-${call}`;
    const input = { path: `src/file-${call}.ts` };
    thread.append({
      kind: "assistant",
      content: [
        { type: "text", text: `I look at file ${call}.` },
        { type: "tool-call", toolCallId: callId, toolName: "read", input },
      ],
      agent: "build",
      model: "bench/bench",
    });
    const value = `line ${call}\n`.repeat(60);
    thread.append({ kind: "result", callId, name: "read", output: { type: "text", value } });
  }
  thread.append({ kind: "turn-end", reason: "end" });
  thread.close();
}
