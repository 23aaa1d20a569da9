// haft agent in a script: a project with an agent of its own, a model server on this machine, and the
// events that come of it. The model follows a script, so that this runs without a key.
// Run it with: node examples/agent/agent.ts

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { AgentEvent } from "@haft/agent";
import { startModelServer } from "./model-server.ts";

const haft = join(import.meta.dirname, "../../packages/cli/bin/haft.js");
const home = await mkdtemp(join(tmpdir(), "agent-"));
const workspace = join(home, "workspace");
await mkdir(join(workspace, ".haft/agents"), { recursive: true });
await writeFile(join(workspace, "sum.js"), "export const sum = (a, b) => a - b;\n");

// An agent is a file. This one may read and search, and nothing else.
await writeFile(
  join(workspace, ".haft/agents/reviewer.md"),
  `---
description: Reviews a file and names what is wrong in it.
tools: [read, grep]
---
You review code. Answer with the line that is wrong and why, in one sentence.
`,
);

// One after the other: the agent, its reviewer twice, and the agent again.
const model = await startModelServer([
  { call: "task", with: { subagent_type: "reviewer", prompt: "Review sum.js." } },
  { call: "read", with: { path: "sum.js" } },
  "Line 1 subtracts where it should add.",
  { call: "edit", with: { path: "sum.js", old_string: "a - b", new_string: "a + b" } },
  "The reviewer found it, and I fixed it.",
]);

const { stdout } = await promisify(execFile)(
  process.execPath,
  [
    ...[haft, "agent", "--json", "--session", "review"],
    ...["--model", "openai-compatible/scripted", "--base-url", model.url],
    // Not interactive: this allows what the task needs, and trusts the reviewer's file.
    ...["--rule", "edit **/*.js allow", "--trust-project"],
    "Have sum.js reviewed, and mend what is wrong.",
  ],
  { cwd: workspace, env: { ...process.env, HAFT_HOME: join(home, "state") } },
);

for (const line of stdout.trim().split("\n")) tell(JSON.parse(line) as AgentEvent);

model.close();
await rm(home, { recursive: true });

function tell(event: AgentEvent, who = "build"): void {
  if (event.type === "subagent") tell(event.event, event.agent);
  if (event.type === "text") console.log(`${who}: ${event.text}`);
  if (event.type === "tool-call") console.log(`${who} calls ${event.name}`);
  if (event.type === "tool-result") console.log(`${event.name} gives ${event.result.type}`);
  if (event.type === "turn-end") console.log(`${who} is done: ${event.reason}`);
}
