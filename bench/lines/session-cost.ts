import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import { createMemoryRecorder, createRegistry, createSession, type Session } from "@haft/core";
import { builtinTools } from "@haft/tools";
import type { Finding, Line } from "../line.ts";
import { median } from "../measure.ts";

const sessions = 1_000;

/** What a session costs that does nothing: its memory, and the time to open it. */
export const sessionCost: Line = {
  name: "session-cost",
  run: async () => {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), "haft-bench-")));
    try {
      return measureSessions(directory);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

function measureSessions(directory: string): Finding[] {
  const registry = createRegistry(builtinTools);
  const recorder = createMemoryRecorder();
  const open = (index: number): Session =>
    createSession({
      registry,
      recorder,
      computer: createDiskComputer({
        workspace: directory,
        stateDirectory: join(directory, "state"),
      }),
      name: `session-${index}`,
    });
  open(0);
  const before = heapAfterCollection();
  const times: number[] = [];
  const opened: Session[] = [];
  for (let index = 1; index <= sessions; index++) {
    const start = performance.now();
    opened.push(open(index));
    times.push(performance.now() - start);
  }
  const kilobytes = (heapAfterCollection() - before) / opened.length / 1024;
  const milliseconds = median(times);
  return [
    {
      line: "memory of an idle session",
      values: [{ name: "heap per session", value: kilobytes }],
      unit: "KB",
      figure: kilobytes,
      meaning: "KB",
      goal: 100,
    },
    {
      line: "opening a session on disk",
      values: [{ name: "median", value: milliseconds * 1000 }],
      unit: "µs",
      figure: milliseconds,
      meaning: "ms",
      goal: 5,
    },
  ];
}

function heapAfterCollection(): number {
  if (globalThis.gc === undefined) {
    throw new Error("Memory is measured after garbage collection: run node with --expose-gc.");
  }
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
