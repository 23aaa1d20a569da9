import { executeTool } from "@ai-sdk/provider-utils";
import { tool as langChainTool } from "@langchain/core/tools";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { tool as aiTool } from "ai";
import { parseToolCall } from "ai/internal";
import { z } from "zod";
import { compareTimes, type Line } from "../line.ts";
import type { Contender } from "../measure.ts";
import { argumentsText, argumentsValue, callNoOp, prepareNoOpSessions } from "../no-op.ts";

const calls = 1_000;
const shape = z.object({
  path: z.string(),
  line: z.number().int(),
  exact: z.boolean(),
  title: z.string(),
  weight: z.number(),
  tags: z.array(z.string()),
  mode: z.enum(["fast", "slow"]),
});

/** A no-op tool through the whole path, against doing it directly and against three peers. */
export const perCall: Line = {
  name: "per-call",
  run: async () => [
    await compareTimes({
      line: "no-op call, JSON text to recorded result",
      contenders: [direct, haft, aiSdk, langChain, await mcpInMemory()],
      rounds: 100,
      subject: "haft, full path",
      reference: "AI SDK parseToolCall (zod) + execute",
      goal: 1,
    }),
  ],
};

const direct: Contender = {
  name: "direct: JSON.parse + await",
  repeats: calls,
  run: async () => {
    const execute = async (_args: unknown): Promise<unknown> => ({ ok: true });
    for (let made = 0; made < calls; made++) await execute(JSON.parse(argumentsText));
  },
};

const openSession = prepareNoOpSessions(10);

const haft: Contender = {
  name: "haft, full path",
  repeats: calls,
  // A new session each time: what it records in one run is not carried into the next.
  run: () => callNoOp(openSession(), calls),
};

const tools = {
  no_op: aiTool({ description: "no-op", inputSchema: shape, execute: async () => ({ ok: true }) }),
};

const aiSdk: Contender = {
  name: "AI SDK parseToolCall (zod) + execute",
  repeats: calls,
  run: async () => {
    for (let made = 0; made < calls; made++) {
      const call = await parseToolCall({
        toolCall: { type: "tool-call", toolCallId: "1", toolName: "no_op", input: argumentsText },
        tools,
        repairToolCall: undefined,
        refineToolInput: undefined,
        messages: [],
        instructions: undefined,
      });
      const options = { toolCallId: "1", messages: [], context: {} as never };
      const results = executeTool({ tool: tools.no_op, input: call.input as never, options });
      for await (const result of results) if (result === undefined) throw new Error("no result");
    }
  },
};

const langChainNoOp = langChainTool(async () => "ok", {
  name: "no_op",
  description: "no-op",
  schema: shape,
});

const langChain: Contender = {
  name: "LangChain tool().invoke (zod)",
  repeats: calls,
  run: async () => {
    for (let made = 0; made < calls; made++) {
      await langChainNoOp.invoke(JSON.parse(argumentsText));
    }
  },
};

async function mcpInMemory(): Promise<Contender> {
  const server = new McpServer({ name: "bench", version: "1" });
  server.registerTool("no_op", { description: "no-op", inputSchema: shape }, async () => ({
    content: [{ type: "text", text: "ok" }],
  }));
  const client = new Client({ name: "bench", version: "1" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return {
    name: "MCP SDK in memory",
    repeats: calls / 10,
    run: async () => {
      for (let made = 0; made < calls / 10; made++) {
        await client.callTool({ name: "no_op", arguments: argumentsValue });
      }
    },
  };
}
