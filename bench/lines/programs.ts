import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProgramPool, createRunCodeTool } from "@haft/agent/internal";
import type { Tool } from "@haft/contract";
import type { Session } from "@haft/core";
import { compareTimes, type Finding, type Line } from "../line.ts";
import type { Contender } from "../measure.ts";
import { argumentsText, callNoOp, prepareNoOpSessions } from "../no-op.ts";

const calls = 400;

/** What a program of `run_code` costs beyond the calls that it makes. */
export const programs: Line = {
  name: "programs",
  run: async () => {
    const directory = mkdtempSync(join(tmpdir(), "haft-bench-"));
    const pool = createProgramPool(directory);
    try {
      return await measure(pool);
    } finally {
      await pool.close();
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

async function measure(pool: ReturnType<typeof createProgramPool>): Promise<Finding[]> {
  const sessions = new Map<string, Session>();
  const runCode = createRunCodeTool({
    pool: async () => pool,
    sessionOf: (id) => sessions.get(id),
  });
  const open = prepareNoOpSessions(10, [runCode as Tool]);
  const session = open();
  sessions.set(session.id, session);
  const run = async (code: string): Promise<void> => {
    const result = await session.call({ name: "run_code", arguments: { code } });
    if (result.type === "error") throw new Error(result.error_text);
  };
  const before = (): Promise<void> => pool.warm();
  const program = (name: string, code: string): Contender => {
    return { name, before, run: () => run(code) };
  };
  const node: Contender = {
    name: "start of node",
    run: async () => {
      await once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "exit");
    },
  };
  const direct: Contender = {
    name: "session.call",
    repeats: calls,
    run: () => callNoOp(session, calls),
  };
  const inner = (name: string, code: string): Contender => {
    return { ...program(name, code), repeats: calls };
  };
  let refused = 0;
  const refusal: Contender = {
    name: "a program that is refused",
    before,
    run: async () => {
      refused += 1;
      const code = `const found = await tools.tool_0(${argumentsText});\nreturn found.value + await tools.tool_1({ at: ${refused} });`;
      const result = await session.call({ name: "run_code", arguments: { code } });
      if (result.type === "output") throw new Error("A wrong program ran.");
    },
  };
  const each = `const args = ${argumentsText};`;
  const oneByOne = inner(
    "calls of a program, one by one",
    `${each} for (let made = 0; made < ${calls}; made++) await tools.tool_0(args);`,
  );
  const together = inner(
    "calls of a program, all at once",
    `${each} await Promise.all(Array.from({ length: ${calls} }, () => tools.tool_0(args)));`,
  );
  return [
    await compareTimes({
      line: "a program that calls nothing",
      contenders: [program("run_code", "return 1;"), node],
      rounds: 30,
      subject: "run_code",
      reference: "start of node",
      goal: 0.125,
    }),
    await compareTimes({
      line: "the check of a program",
      contenders: [refusal, node],
      rounds: 30,
      subject: refusal.name,
      reference: node.name,
      goal: 0.125,
    }),
    await compareTimes({
      line: "no-op calls of a program, all at once",
      contenders: [together, direct],
      rounds: 15,
      subject: together.name,
      reference: direct.name,
      goal: 3,
    }),
    await compareTimes({
      line: "no-op calls of a program, one by one",
      contenders: [oneByOne, direct],
      rounds: 15,
      subject: oneByOne.name,
      reference: direct.name,
      goal: 3,
    }),
  ];
}
