import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import {
  type CallRequest,
  createMemoryRecorder,
  createRegistry,
  createSession,
  type Session,
} from "@haft/core";
import { read } from "@haft/tools";
import { compareTimes, type Finding, type Line } from "../line.ts";

const files = 32;
const manyFiles = 320;

/** Many small files read in one batch, and how long the event loop is kept from others. */
export const batchRead: Line = {
  name: "batch-read",
  run: async () => {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), "haft-bench-")));
    try {
      const paths = Array.from({ length: files }, (_, index) =>
        join(directory, `file-${index}.ts`),
      );
      for (const path of paths) writeFileSync(path, "export const line = 1;\n".repeat(40));
      const batch = paths.map((path) => ({ name: "read", arguments: JSON.stringify({ path }) }));
      return [
        await compareBatch(directory, paths, batch),
        await measureLongestBlock(directory, batch),
      ];
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

/** Makes what opens sessions on a directory, as a host does that serves many. */
function prepareSessions(directory: string): () => Session {
  const registry = createRegistry([read]);
  const computer = createDiskComputer({
    workspace: directory,
    stateDirectory: join(directory, "state"),
  });
  return () => createSession({ registry, computer, recorder: createMemoryRecorder() });
}

async function compareBatch(
  directory: string,
  paths: readonly string[],
  batch: readonly CallRequest[],
): Promise<Finding> {
  const openSession = prepareSessions(directory);
  let session = openSession();
  return compareTimes({
    line: "32 small files in one batch",
    contenders: [
      {
        name: "Promise.all(readFile)",
        run: async () => {
          await Promise.all(paths.map((path) => readFile(path, "utf8")));
        },
      },
      {
        name: "haft batch of read",
        // The first call of a session also reads the rules; what counts here is the batch.
        before: async () => {
          session = openSession();
          requireOutput(await session.batch(batch.slice(0, 1)));
        },
        run: async () => {
          requireOutput(await session.batch(batch));
        },
      },
    ],
    rounds: 600,
    subject: "haft batch of read",
    reference: "Promise.all(readFile)",
    goal: 0.5,
  });
}

async function measureLongestBlock(
  directory: string,
  batch: readonly CallRequest[],
): Promise<Finding> {
  const session = prepareSessions(directory)();
  const many = Array.from({ length: manyFiles / files }, () => batch).flat();
  requireOutput(await session.batch(many));
  const gaps: number[] = [];
  for (let round = 0; round < 40; round++) {
    let last = performance.now();
    let longest = 0;
    let running = true;
    const tick = (): void => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      if (running) setImmediate(tick);
    };
    setImmediate(tick);
    await new Promise(setImmediate);
    last = performance.now();
    requireOutput(await session.batch(many));
    running = false;
    longest = Math.max(longest, performance.now() - last);
    gaps.push(longest);
  }
  gaps.sort((a, b) => a - b);
  const typical = gaps[gaps.length / 2] as number;
  return {
    line: `event loop during a batch of ${manyFiles} reads`,
    values: [{ name: "longest block", value: typical * 1000 }],
    unit: "µs",
    figure: typical,
    meaning: "longest block, ms",
    goal: 5,
  };
}

function requireOutput(outcomes: readonly { readonly result: { readonly type: string } }[]): void {
  const failed = outcomes.find(({ result }) => result.type !== "output");
  if (failed !== undefined) throw new Error(JSON.stringify(failed));
}
