import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import { createMemoryRecorder, createRegistry, createSession, parseRule } from "@haft/core";
import { bash } from "@haft/tools";
import type { Finding, Line } from "../line.ts";
import { timeInTurns } from "../measure.ts";

// A command that was read before is remembered, so each must be another one.
let made = 0;

const commands = [
  {
    name: "a typical command",
    make: () => `git log --oneline -${++made} && ls -la src | head`,
    action: "allow",
    goal: 0.15,
  },
  {
    name: "10,000 characters, many commands",
    make: () => `${"ls -la src && ".repeat(710)}ls ${++made}`,
    action: undefined,
    goal: 1,
  },
  {
    name: "10,000 characters, one word",
    make: () => `ls ${"a".repeat(10_000)}${++made}`,
    action: undefined,
    goal: 1,
  },
  {
    name: "10,000 characters, not read with certainty",
    make: () => `${"echo $(date) ".repeat(770)}${++made}`,
    action: "ask",
    goal: 1,
  },
] as const;

/** Deciding whether a command may run: reading it and holding it against the rules. */
export const ruleDecision: Line = {
  name: "rule-decision",
  run: async () => {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), "haft-bench-")));
    const session = createSession({
      registry: createRegistry([bash]),
      computer: createDiskComputer({
        workspace: directory,
        stateDirectory: join(directory, "state"),
        sandbox: "off",
      }),
      recorder: createMemoryRecorder(),
      rules: ["git log", "ls", "head"].map((words) => parseRule(`bash ${words} allow`)),
    });
    const decide = async (command: string): Promise<string> =>
      (await session.judge({ name: "bash", arguments: { command } })).action;
    try {
      const findings: Finding[] = [];
      for (const { name, make, action, goal } of commands) {
        const decided = await decide(make());
        if (action !== undefined && decided !== action) throw new Error(`${name} is ${decided}`);
        const run = async (): Promise<void> => void (await decide(make()));
        const [timing] = await timeInTurns([{ name, run }], 2_000);
        const milliseconds = timing?.medianMs ?? Number.NaN;
        findings.push({
          line: `deciding about ${name}`,
          values: [{ name: "median", value: milliseconds * 1000 }],
          unit: "µs",
          figure: milliseconds,
          meaning: "ms",
          goal,
        });
      }
      return findings;
    } finally {
      await session.close();
      rmSync(directory, { recursive: true, force: true });
    }
  },
};
