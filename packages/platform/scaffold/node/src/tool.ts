import type { ToolCall } from "amigo_tool_scaffold";

/** What `inputSchema` in tool.json says. */
export interface GreetingInput {
  readonly name: string;
  readonly times?: number;
}

/** The tool. Whatever it returns goes to the caller; an error that it throws is told as one. */
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
