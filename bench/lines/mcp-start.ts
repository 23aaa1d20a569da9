import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compareTimes, type Line } from "../line.ts";
import { startPeer } from "../line-peer.ts";
import type { Contender } from "../measure.ts";

const bare = fileURLToPath(new URL("../mcp-bare-server.ts", import.meta.url));
const haft = fileURLToPath(new URL("../../packages/cli/bin/haft.js", import.meta.url));

/** From the start of a server to the answer to what tools it has. */
export const mcpStart: Line = {
  name: "mcp-start",
  run: async () => {
    const directory = mkdtempSync(join(tmpdir(), "haft-bench-"));
    const env = { ...process.env, HAFT_HOME: join(directory, "state") };
    const contender = (name: string, args: readonly string[]): Contender => ({
      name,
      run: async () => {
        const peer = await startPeer(args, { cwd: directory, env });
        await peer.request("tools/list", {});
        peer.close();
      },
    });
    try {
      return [
        await compareTimes({
          line: "start of an MCP server, to tools/list answered",
          contenders: [contender("haft mcp", [haft, "mcp"]), contender("bare SDK server", [bare])],
          rounds: 20,
          subject: "haft mcp",
          reference: "bare SDK server",
          goal: 1.5,
        }),
      ];
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
};
