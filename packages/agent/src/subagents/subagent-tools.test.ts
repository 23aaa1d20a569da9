import { createMemoryComputer } from "@haft/computer/memory";
import type { Tool } from "@haft/contract";
import { createTestRuntime, describeToolContract } from "@haft/contract/testing";
import { createRegistry, createSession } from "@haft/core";
import { createMemoryThread } from "../threads/memory-thread.ts";
import { createSubagents } from "./create-subagents.ts";
import { createPlanExitTool } from "./plan-exit-tool.ts";
import { makeManifest } from "./test-support/open-test-agents.ts";

const usage = { input_tokens: 1, output_tokens: 1, cached_tokens: 0 };
const manifests = ["finder", "oracle", "librarian", "kraken"].map((name) =>
  makeManifest(name, { description: "Does whatever it is told to." }),
);
const session = createSession({ registry: createRegistry(), computer: createMemoryComputer() });

const { tools } = createSubagents({
  manifests: () => ({
    get: (wanted) => manifests.find(({ name }) => name === wanted),
    list: () => manifests,
    warnings: [],
    untrusted: [],
  }),
  spawner: {
    depthOf: () => 0,
    openChild: async () => ({
      depth: 1,
      agent: {
        session,
        thread: createMemoryThread({ id: "child" }),
        prompt: async () => ({ reason: "end", text: "Done.", steps: 1, usage }),
      },
      close: async () => {
        throw new Error("What goes wrong at the end costs no answer.");
      },
    }),
  },
});

function find(id: string): Tool {
  const tool = tools.find((one) => one.id === id);
  if (tool === undefined) throw new Error(`There is no tool ${id}.`);
  return tool;
}

const answer = { text: "Done.", steps: 1, reason: "end", thread: "child" };

describeToolContract(find("task"), [
  {
    arguments: { subagent_type: "finder", prompt: "Go." },
    expect: { data: { agent: "finder", ...answer } },
  },
  {
    arguments: { subagent_type: "finder", prompt: "Go.", description: "A walk", background: true },
    expect: { data: { agent: "finder", status: "running" } },
  },
  { arguments: { subagent_type: "nobody", prompt: "Go." }, expect: { error: "not-found" } },
]);

for (const { name } of manifests) {
  describeToolContract(find(name), [
    { arguments: { task: "Go.", context: "Here." }, expect: { data: { agent: name, ...answer } } },
  ]);
}

for (const id of ["task_output", "task_stop"]) {
  describeToolContract(find(id), [
    { arguments: { task_id: "task-none" }, expect: { error: "not-found" } },
  ]);
}

describeToolContract(createPlanExitTool({ leave: async () => "Go on." }) as Tool, [
  {
    arguments: { plan: "1. Do it." },
    runtime: () => createTestRuntime({ host: { question: async () => [["Build it"]] } }),
    expect: { data: { approved: true, message: "Go on." } },
  },
  { arguments: { plan: "1. Do it." }, expect: { error: "headless" } },
]);
