import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import { createMemoryRecorder, createRegistry, createSession } from "@haft/core";
import { read as readTool } from "@haft/tools";
import { compareTimes, type Finding, type Line } from "../line.ts";
import type { Contender } from "../measure.ts";

const lines = 2_000;
const hugeBytes = 18 * 1024 * 1024;

/** A whole file of many lines, and a few lines of a huge one. */
export const read: Line = {
  name: "read",
  run: async () => {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), "haft-bench-")));
    try {
      return [await compareWhole(directory), await compareWindow(directory)];
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

function compareWhole(directory: string): Promise<Finding> {
  const path = join(directory, "lines.ts");
  writeFileSync(path, makeLines(lines).join(""));
  return compareTimes({
    line: "read 2,000 numbered lines",
    contenders: [readWhole(path), callRead(directory, { path })],
    rounds: 2_000,
    subject: "haft read",
    reference: "fs.readFile",
    goal: 1,
  });
}

function compareWindow(directory: string): Promise<Finding> {
  const path = join(directory, "huge.ts");
  const some = makeLines(lines).join("");
  writeFileSync(path, some.repeat(Math.ceil(hugeBytes / some.length)).slice(0, hugeBytes));
  return compareTimes({
    line: "lines 1000–1200 of an 18 MB file",
    contenders: [readWhole(path), callRead(directory, { path, offset: 1_000, limit: 201 })],
    rounds: 60,
    subject: "haft read",
    reference: "fs.readFile",
    goal: 0.03,
  });
}

function readWhole(path: string): Contender {
  return {
    name: "fs.readFile",
    run: async () => {
      await readFile(path, "utf8");
    },
  };
}

function callRead(directory: string, args: Readonly<Record<string, unknown>>): Contender {
  const registry = createRegistry([readTool]);
  const computer = createDiskComputer({
    workspace: directory,
    stateDirectory: join(directory, "state"),
  });
  const call = { name: "read", arguments: JSON.stringify(args) };
  let session = createSession({ registry, computer, recorder: createMemoryRecorder() });
  const run = async (): Promise<void> => {
    const result = await session.call(call);
    if (result.type !== "output") throw new Error(JSON.stringify(result));
  };
  let calls = 0;
  return {
    name: "haft read",
    // A recorder in memory keeps every result, which no session does for long.
    before: async () => {
      if (calls++ % 20 > 0) return;
      session = createSession({ registry, computer, recorder: createMemoryRecorder() });
      await run();
    },
    run,
  };
}

/** Lines as source code has them, none like another. */
function makeLines(count: number): string[] {
  return Array.from(
    { length: count },
    (_, line) => `${"  ".repeat(line % 4)}const value${line} = compute(${line}, "${line % 97}");\n`,
  );
}
