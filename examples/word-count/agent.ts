// The tool in the hands of an agent. The model follows a script; see ../agent-loop.
// Run it with: node examples/word-count/agent.ts

import { createMemoryComputer } from "@haft/computer/memory";
import { toAiSdkTools } from "@haft/connect/ai-sdk";
import { createRegistry, createSession, parseRule } from "@haft/core";
import { generateText, isStepCount } from "ai";
import { createScriptedModel } from "../support/scripted-model.ts";
import { wordCount } from "./word-count.ts";

const session = createSession({
  registry: createRegistry([wordCount]),
  computer: createMemoryComputer({ files: { "poem.txt": "Roses are red.\nViolets are blue.\n" } }),
  rules: [parseRule("word_count * allow")],
});

const { steps, text } = await generateText({
  model: createScriptedModel([
    { call: "word_count", with: { path: "poem.txt" } },
    "The poem has six words.",
  ]),
  prompt: "How many words has the poem?",
  tools: toAiSdkTools(session),
  stopWhen: isStepCount(5),
});

for (const { toolResults } of steps) {
  for (const { output } of toolResults) console.log(JSON.stringify(output));
}
console.log(text);
