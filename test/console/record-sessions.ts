import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  call,
  calls,
  type ModelScript,
  say,
  startModelServer,
} from "../agents/support/model-server.ts";
import { reviewer, script } from "../agents/support/subagent-script.ts";
import type { TestConsole } from "./open-console.ts";

const files = {
  "src/price.ts":
    "/** The price with tax. */\nexport function toPrice(net: number): number {\n  return net * 1.19;\n}\n",
  "src/order.ts":
    'import { toPrice } from "./price.ts";\n\nexport const total = (nets: number[]): number => nets.map(toPrice).reduce((a, b) => a + b, 0);\n',
  "notes.txt": "one\ntwo\nthree\n",
  ".haft/agents/reviewer.md": reviewer,
};

/** Writes files into the server's workspace. */
export function writeFiles(server: TestConsole, written: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(written)) {
    const path = join(server.workspace, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

/** Lets the real program work in the server's workspace: commands, a program, and an agent with a subagent. */
export async function recordSessions(server: TestConsole): Promise<void> {
  writeFiles(server, files);
  const { haft } = server;
  await haft("call", "read", "path=notes.txt");
  await haft("call", "edit", "path=notes.txt", "old_string=two", "new_string=TWO", "--yes");
  await haft("call", "read", "path=missing.txt");
  await haft("call", "bash", "command=seq 1 60000", "--yes");
  const code = [
    "const found = await tools.grep({ pattern: 'toPrice' });",
    "const [order, price] = await Promise.all(['src/order.ts', 'src/price.ts'].map((path) => tools.read({ path })));",
    "await tools.read({ path: 'nowhere.ts' }).catch(() => undefined);",
    "return 'both read';",
  ].join("\n");
  await haft("call", "run_code", `code=${code}`, "--code", "--yes", "--session", "program");
  await runAgent(server, { session: "review", task: "Give the tax rate a name." }, review);
}

/** Runs the agent `build` with a model that follows a script. */
export async function runAgent(
  server: TestConsole,
  { session, task }: { readonly session: string; readonly task: string },
  answers: ModelScript,
): Promise<void> {
  const model = await startModelServer(answers);
  const baseUrl = model.baseUrl("openai-compatible");
  const options = ["--model", "openai-compatible/scripted", "--base-url", baseUrl];
  try {
    await server.haft("agent", ...options, "--trust-project", "--yes", "--session", session, task);
  } finally {
    await model.close();
  }
}

// A subagent looks, and the agent edits a file twice.
const review = script({
  "You review": [
    calls([
      ["read", { path: "src/price.ts" }],
      ["grep", { pattern: "toPrice" }],
    ]),
    say("The tax is a number in the code. It is used in one place."),
  ],
  "": [
    calls([
      ["task", { subagent_type: "reviewer", prompt: "Where is the tax computed?" }],
      ["read", { path: "src/order.ts" }],
      ["glob", { pattern: "src/**" }],
    ]),
    call("edit", {
      path: "src/price.ts",
      old_string: "  return net * 1.19;",
      new_string: "  return net * (1 + taxRate);",
    }),
    call("edit", {
      path: "src/price.ts",
      old_string: "/** The price",
      new_string: "const taxRate = 0.19;\n\n/** The price",
    }),
    say("The tax rate has a name now."),
  ],
});
