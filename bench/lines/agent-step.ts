import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgent } from "@haft/agent";
import { openThreads } from "@haft/agent/threads";
import { createDiskComputer } from "@haft/computer";
import { toAiSdkTools, toPrepareStep } from "@haft/connect/ai-sdk";
import { createRegistry, createSession, type Session } from "@haft/core";
import { builtinTools } from "@haft/tools";
import { isStepCount, streamText } from "ai";
import { compareTimes, type Line } from "../line.ts";
import { startModel } from "../start-model.ts";

const steps = 50;
const instructions = "You are measured.";

/** Our loop with its thread on disk, against a bare `streamText` loop with the same session's tools. */
export const agentStep: Line = {
  name: "agent-step",
  run: async () => {
    const directory = mkdtempSync(join(tmpdir(), "haft-bench-"));
    const { model, stop } = await startModel();
    const threads = await openThreads(join(directory, "threads.db"));
    let opened = 0;
    const open = (): Session => {
      const computer = createDiskComputer({
        workspace: join(directory, "workspace"),
        stateDirectory: join(directory, "state"),
      });
      return createSession({
        registry: createRegistry(builtinTools),
        computer,
        name: `bench-${++opened}`,
      });
    };
    try {
      plantFiles(join(directory, "workspace"));
      const finding = await compareTimes({
        line: `a step of an agent: a request, a streamed answer, one read; ${steps} steps`,
        contenders: [
          {
            name: "streamText",
            repeats: steps + 1,
            run: async () => {
              const session = open();
              const tools = toAiSdkTools(session);
              const { fullStream } = streamText({
                model: model.model,
                instructions,
                prompt: `wanted:${steps}`,
                tools,
                prepareStep: toPrepareStep(session, tools),
                stopWhen: isStepCount(steps + 1),
              });
              for await (const part of fullStream) if (part.type === "error") throw part.error;
            },
          },
          {
            name: "haft",
            repeats: steps + 1,
            run: async () => {
              const session = open();
              const { id, name } = session;
              const thread = threads.open({ id, name, workspace: directory });
              const role = { name: "bench", model, instructions };
              const agent = createAgent({ session, thread, role: () => role });
              const outcome = await agent.prompt(`wanted:${steps}`);
              thread.close();
              if (outcome.steps !== steps + 1) throw new Error(`${JSON.stringify(outcome)}`);
            },
          },
        ],
        rounds: 15,
        subject: "haft",
        reference: "streamText",
        goal: 1.05,
      });
      return [finding];
    } finally {
      threads.close();
      stop();
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

function plantFiles(workspace: string): void {
  mkdirSync(workspace, { recursive: true });
  for (let file = 0; file < 20; file++) {
    const text = Array.from({ length: 40 }, (_, line) => `line ${line} of file ${file}\n`).join("");
    writeFileSync(join(workspace, `file-${file}.txt`), text);
  }
}
