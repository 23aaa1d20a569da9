import type { ModelAnswer, ModelRequest } from "./model-server.ts";
import { say } from "./model-server.ts";

type Turn = ModelAnswer | ((request: ModelRequest) => ModelAnswer);

/** Answers by who is asked: the first whose words are in the system prompt; a list is used up in order. */
export function script(
  parts: Readonly<Record<string, readonly Turn[]>>,
): (request: ModelRequest) => ModelAnswer {
  const used = new Map<string, number>();
  return (request: ModelRequest): ModelAnswer => {
    const words = Object.keys(parts).find((part) => request.system.includes(part)) ?? "";
    const at = used.get(words) ?? 0;
    used.set(words, at + 1);
    const turn = parts[words]?.[at];
    if (turn === undefined) return say("(no more)");
    return typeof turn === "function" ? turn(request) : turn;
  };
}

/** The file of an agent. */
export function manifest(prompt: string, fields: Readonly<Record<string, string>>): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return ["---", ...lines, "---", prompt, ""].join("\n");
}

/** The file of an agent that only looks. */
export const reviewer: string = manifest("You review what others wrote.", {
  description: "Reviews a file.",
  tools: "[read, grep]",
});
