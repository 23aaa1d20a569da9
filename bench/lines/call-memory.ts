import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Line } from "../line.ts";
import { median } from "../measure.ts";

const haft = fileURLToPath(new URL("../../packages/cli/bin/haft.js", import.meta.url));
const command = "command=echo a; echo b | cat && printf '%s' done";
const rounds = 5;

// Writes the peak where nothing else is written.
const tellPeak = `import { writeSync } from "node:fs";
process.on("exit", () => writeSync(3, String(process.resourceUsage().maxRSS)));`;

/** The peak memory of a process that reads and runs one command, against that of Node itself. */
export const callMemory: Line = {
  name: "call-memory",
  run: async () => {
    const directory = mkdtempSync(join(tmpdir(), "haft-bench-"));
    try {
      const bare = measurePeak(["-e", "0"], directory);
      const call = measurePeak([haft, "call", "bash", command, "--yes"], directory);
      return [
        {
          line: "peak memory of haft call bash",
          values: [
            { name: "node -e 0", value: bare },
            { name: "haft call bash", value: call },
          ],
          unit: "MB",
          figure: call / bare,
          meaning: "haft call bash ÷ node -e 0",
          goal: 2.6,
        },
      ];
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

function measurePeak(args: readonly string[], directory: string): number {
  const preload = `data:text/javascript,${encodeURIComponent(tellPeak)}`;
  const peaks = Array.from({ length: rounds }, () => {
    const { status, output } = spawnSync(process.execPath, ["--import", preload, ...args], {
      cwd: directory,
      env: { ...process.env, HAFT_HOME: join(directory, "state") },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${output[2]}`);
    return Number(output[3]) / 1024;
  });
  return median(peaks);
}
