// Searches once with ripgrep and once with Haft, and prints how many milliseconds each took.
import { createDiskComputer } from "@haft/computer";
import { findRipgrep } from "@haft/computer/internal";
import { createMemoryRecorder, createRegistry, createSession } from "@haft/core";
import { grep } from "@haft/tools";
import { runProgram } from "./run-program.ts";

const [, , workspace = "", stateDirectory = "", pattern = "", first = "haft"] = process.argv;
const program = findRipgrep()?.path ?? "rg";
const computer = createDiskComputer({ workspace, stateDirectory });
const registry = createRegistry([grep]);
const session = createSession({ registry, computer, recorder: createMemoryRecorder() });

const searches = {
  ripgrep: async () => {
    const args = [
      "--no-config",
      "--line-number",
      "--fixed-strings",
      `--regexp=${pattern}`,
      "--",
      "./",
    ];
    const printed = await runProgram(program, args, workspace);
    if (!printed.includes(pattern)) throw new Error("ripgrep found nothing.");
  },
  haft: async () => {
    const call = { name: "grep", arguments: { pattern, literal: true } };
    const result = await session.call(call);
    if (!JSON.stringify(result).includes(`"line":1`)) throw new Error(JSON.stringify(result));
  },
};

const order = first === "haft" ? (["haft", "ripgrep"] as const) : (["ripgrep", "haft"] as const);
const times: Record<string, number> = {};
for (const name of order) {
  const start = performance.now();
  await searches[name]();
  times[name] = performance.now() - start;
}
process.stdout.write(JSON.stringify(times));
process.exit();
