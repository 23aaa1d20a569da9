import type { ToolCall } from "amigo_tool_scaffold";

/** The input, as described by `inputSchema` in tool.json. */
export interface GreetingInput {
  readonly name: string;
  readonly times?: number;
}

/** The tool. The caller gets what it returns, or the error that it throws. */
export async function runTool({
  toolInput,
  metadata,
  config,
  conversation,
  sendStatusEvent,
  userVariables,
}: ToolCall<GreetingInput>): Promise<string> {
  const { name, times = 1 } = toolInput;
  sendStatusEvent(`Greeting ${name}`);

  // A variable of the tool: name it in requiredEnvvars, and set it with `haft tool env`.
  const greeting = config.GREETING ?? "Hello";
  // A variable of the user. A sensitive one is never shown when it is printed by accident.
  const shown = userVariables.get("nickname") ?? name;
  const lines = Array.from({ length: times }, () => `${greeting}, ${shown}!`);

  if (conversation !== null) lines.push("Good to talk with you.");
  // In a simulation nothing may have consequences: look up and send nothing for real.
  if (metadata.invocationMode === "conversation-simulation") lines.push("(simulated)");
  return lines.join("\n");
}
