import { dirname, join } from "node:path";
import { createDiskComputer, openSqliteRecorder } from "@haft/computer";
import { defineTool, type Tool } from "@haft/contract";
import { createRegistry, createScriptedHost, createSession } from "@haft/core";
import { openThreads } from "../open-threads.ts";

// Has one call end and one go on for ever, with neither result in the thread, as if it died just then.
const [path = "", workspace = ""] = process.argv.slice(2);
const recordings = join(dirname(path), "recordings.db");

function makeTool(id: string, execute: () => Promise<unknown>): Tool {
  return defineTool({
    id,
    description: "For a test.",
    parameters: { type: "object", additionalProperties: false },
    requires: {},
    kind: "read",
    source: "builtin",
    execution: { resourceKeys: () => [] },
    execute,
  }) as Tool;
}

const recorder = await openSqliteRecorder(recordings);
const session = createSession({
  registry: createRegistry([
    makeTool("quick", async () => ({ content: "it was quick" })),
    makeTool("endless", () => new Promise(() => setInterval(() => undefined, 1000))),
  ]),
  computer: createDiskComputer({ workspace, stateDirectory: dirname(path), sandbox: "off" }),
  recorder,
  host: createScriptedHost({ ask: "once" }),
  name: "crash",
});
const threads = await openThreads(path, { recordings });
const thread = threads.open({ id: session.id, name: session.name, workspace });
thread.append({ kind: "user", content: [{ type: "text", text: "Go." }] });
const calls = [
  { id: "a", name: "endless" },
  { id: "b", name: "quick" },
];
thread.append({
  kind: "assistant",
  agent: "build",
  model: "m",
  content: calls.map(({ id, name }) => ({
    type: "tool-call",
    toolCallId: id,
    toolName: name,
    input: {},
  })),
});
await session.batch(
  calls.map((call) => ({ ...call, arguments: {} })),
  {
    onResult: () => {
      void recorder.flush().then(() => process.stdout.write(`${session.id}\n`));
    },
  },
);
