import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Finding, Line } from "../line.ts";
import { timeInTurns } from "../measure.ts";
import { runProgram } from "../run-program.ts";

const rounds = 100;
const heldMegabytes = 600;
const script = fileURLToPath(new URL("../shell-host.ts", import.meta.url));

/** A command in the sandbox over one without, and what the memory of the host adds to that. */
export const shell: Line = {
  name: "shell",
  run: async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-bench-")));
    const hosts: ChildProcess[] = [];
    const start = (megabytes: number): ChildProcess => {
      const host = fork(script, [
        join(base, "work"),
        join(base, `state-${megabytes}`),
        `${megabytes}`,
      ]);
      hosts.push(host);
      return host;
    };
    try {
      mkdirSync(join(base, "work"));
      return await measure(base, start(0), start(heldMegabytes));
    } finally {
      for (const host of hosts) host.disconnect();
      rmSync(base, { recursive: true, force: true });
    }
  },
};

async function measure(
  directory: string,
  lean: ChildProcess,
  heavy: ChildProcess,
): Promise<Finding[]> {
  const names = {
    plain: "bash -c true",
    lean: "bash true in the sandbox",
    heavy: `the same, ${heldMegabytes} MB held`,
  };
  const timings = await timeInTurns(
    [
      {
        name: names.plain,
        run: async () => void (await runProgram("bash", ["-c", "true"], directory)),
      },
      { name: names.lean, run: () => ask(lean) },
      { name: names.heavy, run: () => ask(heavy) },
    ],
    rounds,
  );
  const of = (name: string): number =>
    timings.find((timing) => timing.name === name)?.medianMs ?? Number.NaN;
  const values = timings.map(({ name, medianMs }) => ({ name, value: medianMs * 1000 }));
  return [
    {
      line: "a command in the sandbox",
      values,
      unit: "µs",
      figure: of(names.lean) - of(names.plain),
      meaning: "ms over bash -c true",
      goal: 8,
    },
    {
      line: "a command in the sandbox of a large process",
      values,
      unit: "µs",
      figure: of(names.heavy) / of(names.lean),
      meaning: `with ${heldMegabytes} MB held ÷ without`,
      goal: 1.3,
    },
  ];
}

async function ask(host: ChildProcess): Promise<void> {
  host.send("true");
  await once(host, "message");
}
