import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createWorkspaceAgents,
  type StartOptions,
  type WorkspaceAgents,
} from "@haft/agent/internal/workspace-agents";
import { createDiskComputer } from "@haft/computer";
import { createRegistry, createSession } from "@haft/core";
import { builtinTools } from "@haft/tools";
import type { Finding, Line } from "../line.ts";
import { median } from "../measure.ts";
import { startModel } from "../start-model.ts";

const children = 50;
const childReads = 20;
const reads = 40;

/** How soon a parent's next request starts after an answer with one read, while many agents work in the background. */
export const agentBackground: Line = {
  name: "agent-background",
  run: async () => {
    const directory = mkdtempSync(join(tmpdir(), "haft-bench-"));
    const { baseUrl, stop } = await startModel();
    const { agents, openSession } = openAgents(directory, baseUrl);
    try {
      const agent = await agents.start({ openSession });
      const gaps: number[] = [];
      let answeredAt: number | undefined;
      let underWay = 0;
      const outcome = await agent.prompt(`spawn:${children}x${childReads} wanted:${reads}`, {
        onEvent: (event) => {
          if (event.type === "subagent" && event.event.type === "turn-start") underWay++;
          if (event.type === "subagent" && event.event.type === "turn-end") underWay--;
          if (event.type === "tool-call" && event.name === "read") answeredAt = performance.now();
          if (event.type !== "step-start" || answeredAt === undefined) return;
          if (underWay > 0) gaps.push(performance.now() - answeredAt);
          answeredAt = undefined;
        },
      });
      await agent.close();
      if (outcome.reason !== "end") throw new Error(JSON.stringify(outcome));
      return [toFinding(gaps)];
    } finally {
      await agents.close();
      stop();
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

interface BenchAgents extends Pick<StartOptions, "openSession"> {
  readonly agents: WorkspaceAgents;
}

function openAgents(directory: string, baseUrl: string): BenchAgents {
  const workspace = join(directory, "workspace");
  mkdirSync(workspace);
  for (let file = 0; file < 20; file++) {
    writeFileSync(join(workspace, `file-${file}.txt`), `file ${file}\n`.repeat(40));
  }
  const stateDirectory = join(directory, "state");
  const computer = createDiskComputer({ workspace, stateDirectory });
  const agents = createWorkspaceAgents({
    computer,
    stateDirectory,
    home: directory,
    environment: {},
    hasAgent: true,
    model: "openai-compatible/bench",
    baseUrl,
    warn: (message) => process.stderr.write(`${message}\n`),
  });
  const registry = createRegistry([...builtinTools, ...agents.tools]);
  return { agents, openSession: (own) => createSession({ registry, computer, ...own }) };
}

function toFinding(gaps: readonly number[]): Finding {
  const worst = Math.max(...gaps);
  return {
    line: `a parent's next step with ${children} agents in the background`,
    values: [
      { name: "median", value: median(gaps) },
      { name: "worst", value: worst },
      { name: "steps looked at", value: gaps.length },
    ],
    unit: "ms",
    figure: worst,
    meaning: "worst, ms",
    goal: 50,
  };
}
