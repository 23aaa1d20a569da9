import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Finding, Line } from "../line.ts";
import { runProgram } from "../run-program.ts";

const megabyte = 1024 * 1024;
const script = fileURLToPath(new URL("../output-once.ts", import.meta.url));

/** The memory that a command takes which prints much. */
export const output: Line = {
  name: "output",
  run: async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-bench-")));
    try {
      mkdirSync(join(base, "work"));
      return [
        await measure(
          base,
          200,
          `head -c ${200 * megabyte} /dev/urandom | base64 -w 100 | head -c`,
        ),
        await measure(base, 1024, "yes | head -c"),
      ];
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  },
};

async function measure(base: string, megabytes: number, command: string): Promise<Finding> {
  const bytes = megabytes * megabyte;
  const places = [join(base, "work"), join(base, "state")];
  const args = ["--expose-gc", script, ...places, `${command} ${bytes}`];
  const told = JSON.parse(String(await runProgram(process.execPath, args, base)));
  if (told.bytes !== bytes) throw new Error(`Of ${bytes} bytes ${told.bytes} came.`);
  const grown = told.grown / megabyte;
  return {
    line: `${megabytes} MB of output`,
    values: [{ name: "memory above idle", value: grown }],
    unit: "MB",
    figure: grown,
    meaning: "MB above idle",
    goal: 40,
  };
}
