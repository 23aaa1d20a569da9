import { processIo } from "../../../io.ts";
import { createTerminalHost } from "../../../terminal/terminal-host.ts";
import { createAgentCommand } from "../create-agent-command.ts";
import { createScriptedSource, type Script, toRequest, toResult } from "./scripted-agent.ts";

// `haft agent` with an agent that does as it is told, for tests in a real terminal.
const script: Script = async ({ text, host, signal, emit }) => {
  if (text === "hang") {
    emit({ type: "text", text: "Working on it" });
    await until(signal);
    return { reason: "aborted" };
  }
  if (text === "ask") {
    const id = "c1";
    const args = { command: "make it" };
    emit({ type: "tool-call", id, name: "bash", tool: "bash", kind: "execute", arguments: args });
    const { answer } = await host.ask(toRequest(id, "bash", signal));
    const result = toResult({ output: `made: ${answer}\n`, exit_code: 0 });
    emit({ type: "tool-result", id, name: "bash", result });
    return signal.aborted ? { reason: "aborted" } : {};
  }
  for (const part of ["You said ", JSON.stringify(text), ".\u001b[2J"]) {
    emit({ type: "text", text: part });
  }
  return {};
};

const io = processIo();

function until(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // As a connection to a model would, it keeps the process alive.
    const timer = setInterval(() => {}, 1_000);
    signal.addEventListener("abort", () => {
      clearInterval(timer);
      resolve();
    });
  });
}
const command = createAgentCommand(async (_, asked) =>
  createScriptedSource(
    script,
    createTerminalHost(asked, async () => "It is confined."),
  ),
);
const options = Object.fromEntries(process.argv.slice(2).map((name) => [name, true]));
const positionals = process.env.TALK_PROMPT === undefined ? [] : [process.env.TALK_PROMPT];
process.exitCode = await command({ options, positionals }, io);
