// An agent: a model, the tools of a session, and the AI SDK's loop between them. The model follows a
// script here, so that this runs anywhere; with a real one nothing else changes.
// Run it with: node examples/agent-loop/agent.ts

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import { toAiSdkTools } from "@haft/connect/ai-sdk";
import { createRegistry, createSession, parseRule } from "@haft/core";
import { builtinTools } from "@haft/tools";
import { generateText, isStepCount } from "ai";
import { createScriptedModel } from "../support/scripted-model.ts";

const workspace = await mkdtemp(join(tmpdir(), "agent-loop-"));
await writeFile(join(workspace, "greeting.txt"), "Hello, wrold!\n");

const session = createSession({
  registry: createRegistry(builtinTools),
  computer: createDiskComputer({ workspace, stateDirectory: join(workspace, ".state") }),
  // Reading is allowed as it is. This lets it change texts of the workspace without asking.
  rules: [parseRule("edit **/*.txt allow")],
});

const model = createScriptedModel([
  { call: "grep", with: { pattern: "wrold" } },
  {
    call: "edit",
    with: { path: "greeting.txt", old_string: "wrold", new_string: "world" },
  },
  { call: "read", with: { path: "greeting.txt" } },
  "I found the typo and fixed it.",
]);

const { text, steps } = await generateText({
  model,
  prompt: "There is a typo in one of the files. Fix it.",
  tools: toAiSdkTools(session, { model }),
  stopWhen: isStepCount(10),
});

for (const { toolCalls } of steps) {
  for (const { toolName, input } of toolCalls) console.log(toolName, JSON.stringify(input));
}
console.log(text);
console.log((await readFile(join(workspace, "greeting.txt"), "utf8")).trim());
await rm(workspace, { recursive: true });
