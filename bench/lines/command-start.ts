import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Finding, Line } from "../line.ts";
import { timeInTurns } from "../measure.ts";

const haft = fileURLToPath(new URL("../../packages/cli/bin/haft.js", import.meta.url));

/** One call from the shell, over the start of Node itself. */
export const commandStart: Line = {
  name: "command-start",
  run: async () => {
    const directory = mkdtempSync(join(tmpdir(), "haft-bench-"));
    try {
      writeFileSync(join(directory, "file.txt"), "hello\n");
      return [await measureStart(directory)];
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

async function measureStart(directory: string): Promise<Finding> {
  const environment = { ...process.env, HAFT_HOME: join(directory, "state") };
  const run = (args: readonly string[]): void => {
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd: directory,
      env: environment,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  };
  const timings = await timeInTurns(
    [
      { name: "node -e 0", run: () => run(["-e", "0"]) },
      { name: "haft call read", run: () => run([haft, "call", "read", "path=file.txt"]) },
    ],
    30,
  );
  const [bare, call] = timings.map(({ medianMs }) => medianMs) as [number, number];
  return {
    line: "haft call read from the shell",
    values: timings.map(({ name, medianMs }) => ({ name, value: medianMs * 1000 })),
    unit: "µs",
    figure: call - bare,
    meaning: "ms over node -e 0",
    goal: 60,
  };
}
