import { appendFileSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Finding, Line } from "../line.ts";
import { median } from "../measure.ts";
import { plantProject } from "../plant-project.ts";
import { runProgram } from "../run-program.ts";

const rounds = 25;
const rare = "needle_in_the_haystack";
const script = fileURLToPath(new URL("../grep-once.ts", import.meta.url));

/** The first search for text in a process, over ripgrep itself from the same process. */
export const grepCold: Line = {
  name: "grep-cold",
  run: async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-bench-")));
    const directory = join(base, "project");
    try {
      plantProject(directory, { files: 10_000, bytesPerFile: 13_000 });
      appendFileSync(join(directory, "packages/package-3/src/part-0/notes.md"), `${rare}\n`);
      return [await measure(directory, join(base, "state"))];
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  },
};

async function measure(directory: string, stateDirectory: string): Promise<Finding> {
  const times: Record<"haft" | "ripgrep", number[]> = { haft: [], ripgrep: [] };
  for (let round = -3; round < rounds; round++) {
    const first = round % 2 === 0 ? "haft" : "ripgrep";
    const args = [...process.execArgv, script, directory, stateDirectory, rare, first];
    const printed = await runProgram(process.execPath, args, directory);
    if (round < 0) continue;
    const { haft, ripgrep } = JSON.parse(printed.toString()) as Record<string, number>;
    times.haft.push(haft ?? Number.NaN);
    times.ripgrep.push(ripgrep ?? Number.NaN);
  }
  const [haft, ripgrep] = [median(times.haft), median(times.ripgrep)];
  return {
    line: "grep, rare literal, first in a process, 10,000 files",
    values: [
      { name: "rg", value: ripgrep * 1000 },
      { name: "haft grep, cold", value: haft * 1000 },
    ],
    unit: "µs",
    figure: haft / ripgrep,
    meaning: "haft grep, cold ÷ rg",
    goal: 1.1,
  };
}
