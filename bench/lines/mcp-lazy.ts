import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import { addToolSource } from "@haft/connect";
import { openMcpStore, pinTool } from "@haft/connect/internal/mcp-client";
import { openMcpServers } from "@haft/connect/mcp-client";
import { createRegistry, createSession } from "@haft/core";
import { builtinTools } from "@haft/tools";
import type { Line } from "../line.ts";
import { timeInTurns } from "../measure.ts";

const servers = 20;
const toolsEach = 15;

/** What twenty MCP servers add to the first turn, as long as none of their tools is called. */
export const mcpLazy: Line = {
  name: "mcp-lazy",
  run: async () => {
    const directory = mkdtempSync(join(tmpdir(), "haft-bench-"));
    const computer = createDiskComputer({
      workspace: directory,
      stateDirectory: join(directory, "state"),
    });
    const place = join(directory, "mcp");
    plantServers(place);
    const openTurn = async (withServers: boolean): Promise<void> => {
      const registry = createRegistry(builtinTools);
      const warn = (message: string): never => {
        throw new Error(message);
      };
      if (withServers) {
        const servers = await openMcpServers({ store: openMcpStore(place), computer, warn });
        addToolSource(registry, servers, warn);
      }
      const shown = createSession({ registry, computer }).tools("all").length;
      if (shown !== builtinTools.length + (withServers ? servers * toolsEach : 0)) {
        throw new Error(`${shown} tools are shown.`);
      }
    };
    try {
      const timings = await timeInTurns(
        [
          { name: "first turn", run: () => openTurn(false) },
          { name: `with ${servers} MCP servers`, run: () => openTurn(true) },
        ],
        30,
      );
      const [bare, stocked] = timings.map(({ medianMs }) => medianMs) as [number, number];
      return [
        {
          line: `${servers} MCP servers of ${toolsEach} tools each, added and not called`,
          values: timings.map(({ name, medianMs }) => ({ name, value: medianMs * 1000 })),
          unit: "µs",
          figure: stocked - bare,
          meaning: "ms more for the first turn",
          goal: 10,
        },
      ];
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

function plantServers(directory: string): void {
  const store = openMcpStore(directory);
  for (let server = 0; server < servers; server++) {
    const tools = Array.from({ length: toolsEach }, (_, index) =>
      pinTool(
        {
          name: `tool_${index}`,
          description: `Does the thing number ${index}, with a description of usual length.`,
          inputSchema: {
            type: "object",
            properties: { id: { type: "string" }, count: { type: "integer" } },
            required: ["id"],
          },
        },
        "accepted",
      ),
    );
    store.put({
      name: `server${server}`,
      settings: {
        type: "stdio",
        command: "false",
        args: [],
        env: {},
        passEnv: [],
        reads: [],
        hosts: [],
      },
      tools,
    });
  }
}
