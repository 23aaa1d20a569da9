import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { compareTimes, type Finding, type Line } from "../line.ts";
import { type LinePeer, startPeer } from "../line-peer.ts";
import type { Contender } from "../measure.ts";
import { argumentsValue } from "../no-op.ts";

const inFlight = 32;
const calls = 320;
const haft = "haft mcp";
const bare = "bare SDK server";

/** A call that does nothing over standard streams, one after the other and many at once. */
export const mcpCall: Line = {
  name: "mcp-call",
  run: async () => {
    const peers = [
      { name: haft, peer: await start(new URL("../mcp-haft-server.ts", import.meta.url)) },
      { name: bare, peer: await start(new URL("../mcp-bare-server.ts", import.meta.url)) },
    ];
    const compare = (line: string, run: (peer: LinePeer) => Promise<void>): Promise<Finding> => {
      const contenders = peers.map(
        ({ name, peer }): Contender => ({ name, repeats: calls, run: () => run(peer) }),
      );
      return compareTimes({
        line,
        contenders,
        rounds: 40,
        subject: haft,
        reference: bare,
        goal: 1.2,
      });
    };
    try {
      return [
        await compare("no-op call over MCP, one after the other", callInTurn),
        await compare(`no-op call over MCP, ${inFlight} in flight`, callTogether),
      ];
    } finally {
      for (const { peer } of peers) peer.close();
    }
  },
};

function start(script: URL): Promise<LinePeer> {
  return startPeer([fileURLToPath(script)], { cwd: tmpdir(), env: process.env });
}

async function callInTurn(peer: LinePeer): Promise<void> {
  for (let made = 0; made < calls; made++) await callOnce(peer);
}

async function callTogether(peer: LinePeer): Promise<void> {
  for (let made = 0; made < calls; made += inFlight) {
    await Promise.all(Array.from({ length: inFlight }, () => callOnce(peer)));
  }
}

async function callOnce(peer: LinePeer): Promise<void> {
  const result = await peer.request("tools/call", { name: "tool_0", arguments: argumentsValue });
  if ((result as { isError?: boolean }).isError) throw new Error(JSON.stringify(result));
}
