import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

/** An MCP server on standard streams, spoken to in bare lines so that only its own time counts. */
export interface LinePeer {
  request(method: string, params: unknown): Promise<unknown>;
  close(): void;
}

/** Starts a server and shakes hands with it. */
export async function startPeer(
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<LinePeer> {
  const child = spawn(process.execPath, args, { ...options, stdio: ["pipe", "pipe", "inherit"] });
  const peer = talk(child);
  await peer.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  });
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  return peer;
}

function talk(child: ChildProcessByStdio<Writable, Readable, null>): LinePeer {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let next = 0;
  let rest = "";
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const { id, result, error } = JSON.parse(line);
      if (error === undefined) waiting.get(id)?.resolve(result);
      else waiting.get(id)?.reject(new Error(error.message));
      waiting.delete(id);
    }
  });
  child.once("exit", (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`The server ended with ${code}.`));
  });
  return {
    request: (method, params) => {
      const id = ++next;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(id, answer);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      return answer.promise;
    },
    close: () => child.kill("SIGKILL"),
  };
}
