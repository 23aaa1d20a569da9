import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import { findRipgrep } from "@haft/computer/internal";
import { createMemoryRecorder, createRegistry, createSession, type Session } from "@haft/core";
import { glob as globTool } from "@haft/tools";
import { compareTimes, type Finding, type Line } from "../line.ts";
import type { Contender } from "../measure.ts";
import { plantProject } from "../plant-project.ts";
import { runProgram } from "../run-program.ts";

const files = 10_000;

/** Files by name in a tree of ten thousand: for the first time, and again. */
export const glob: Line = {
  name: "glob",
  run: async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-bench-")));
    const directory = join(base, "project");
    try {
      plantProject(directory, { files, bytesPerFile: 100 });
      const open = prepareSessions(directory, join(base, "state"));
      return [
        await compare("cold", callCold(open), directory),
        await compare("warm", callWarm(open), directory),
      ];
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  },
};

function compare(
  state: "cold" | "warm",
  contender: Contender,
  directory: string,
): Promise<Finding> {
  return compareTimes({
    line: `glob **/*.ts, ${state}, 10,000 files`,
    contenders: [listWithRipgrep(directory), contender],
    rounds: 40,
    subject: contender.name,
    reference: "rg --files",
    goal: state === "cold" ? 0.6 : 0.15,
  });
}

function listWithRipgrep(directory: string): Contender {
  const program = findRipgrep()?.path ?? "rg";
  return {
    name: "rg --files",
    run: async () => {
      await runProgram(program, ["--no-config", "--files"], directory);
    },
  };
}

// A computer that knows nothing yet.
function callCold(open: () => Session): Contender {
  let session = open();
  return {
    name: "haft glob, cold",
    before: () => {
      session = open();
    },
    run: () => call(session),
  };
}

function callWarm(open: () => Session): Contender {
  const session = open();
  return { name: "haft glob, warm", run: () => call(session) };
}

function prepareSessions(directory: string, stateDirectory: string): () => Session {
  const registry = createRegistry([globTool]);
  return () => {
    const computer = createDiskComputer({ workspace: directory, stateDirectory });
    return createSession({ registry, computer, recorder: createMemoryRecorder() });
  };
}

async function call(session: Session): Promise<void> {
  const result = await session.call({ name: "glob", arguments: { pattern: "**/*.ts" } });
  if (result.type !== "output") throw new Error(JSON.stringify(result));
}
