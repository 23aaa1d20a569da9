import { createMemoryComputer } from "@haft/computer/memory";
import { defineTool, type Tool } from "@haft/contract";
import { createMemoryRecorder, createRegistry, createSession, type Session } from "@haft/core";

/** The arguments that every contender gets, as the text a model sends. */
export const argumentsText: string = JSON.stringify({
  path: "src/index.ts",
  line: 12,
  exact: true,
  title: "the name of something",
  weight: 1.5,
  tags: ["one", "two"],
  mode: "fast",
});

/** The same arguments as values. */
export const argumentsValue: Record<string, unknown> = JSON.parse(argumentsText);

const measured = "tool_0";

/** A tool that does nothing, with seven parameters and one path to check. */
function defineNoOp(id: string): Tool {
  return defineTool({
    id,
    description: "Does nothing at all, so that what is measured is everything around it.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string" },
        line: { type: "integer" },
        exact: { type: "boolean" },
        title: { type: "string" },
        weight: { type: "number" },
        tags: { type: "array", items: { type: "string" } },
        mode: { type: "string", enum: ["fast", "slow"] },
      },
      required: ["path", "line", "exact", "title", "weight", "tags", "mode"],
      additionalProperties: false,
    },
    requires: { fs: { read: ["{workspace}/**"] } },
    kind: "read",
    execution: { resourceKeys: ({ path }) => [{ key: path, mode: "read" }] },
    execute: async () => ({ ok: true }),
  });
}

/** Makes what opens sessions in memory with so many no-op tools, others beside them, and two rules. */
export function prepareNoOpSessions(tools: number, others: readonly Tool[] = []): () => Session {
  const ids = Array.from({ length: tools }, (_, index) => `tool_${index}`);
  const registry = createRegistry([...ids.map(defineNoOp), ...others]);
  const computer = createMemoryComputer();
  return () =>
    createSession({
      registry,
      computer,
      recorder: createMemoryRecorder(),
      rules: [
        { permission: measured, pattern: "src/**", action: "allow" },
        { permission: "*", pattern: "secret/**", action: "deny" },
      ],
    });
}

/** Calls the measured tool so many times, one after the other. */
export async function callNoOp(session: Session, times: number): Promise<void> {
  for (let made = 0; made < times; made++) {
    const result = await session.call({ name: measured, arguments: argumentsText });
    if (result.type === "error") throw new Error(result.error_text);
  }
}
