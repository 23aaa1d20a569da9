import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createMCPClient, type MCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { haftProgram, makePeerWorkspace, type PeerWorkspace } from "./run-haft.ts";

describe.each([
  ["stdio", connectOverPipes],
  ["HTTP", connectOverHttp],
] as const)("the AI SDK's MCP client over %s", (_, connect) => {
  it("lists our tools and calls them", { timeout: 60_000 }, async () => {
    const workspace = makePeerWorkspace({ "a.txt": "one\ntwo\n" });
    const client = await connect(workspace);
    onTestFinished(() => client.close());
    const tools = await client.tools();
    expect(Object.keys(tools)).toEqual(expect.arrayContaining(["read", "edit", "grep", "bash"]));
    const call = async (name: string, input: unknown): Promise<string> => {
      const result = await tools[name]?.execute(input, {
        toolCallId: name,
        messages: [],
        context: {},
      });
      return JSON.stringify(result);
    };

    expect(await call("read", { path: "a.txt" })).toContain("2: two");
    await call("edit", { path: "a.txt", old_string: "two", new_string: "three" });
    expect(readFileSync(join(workspace.directory, "a.txt"), "utf8")).toBe("one\nthree\n");
    expect(await call("grep", { pattern: "thr.e" })).toContain("a.txt");
    expect(await call("bash", { command: "wc -l < a.txt" })).toContain("2");
    expect(await call("read", { path: "none.txt" })).toContain('"isError":true');
  });
});

function connectOverPipes({ directory, environment }: PeerWorkspace): Promise<MCPClient> {
  const args = [haftProgram, "mcp", "--yes", "-C", directory];
  const transport = new StdioTransport({ command: process.execPath, args, env: environment });
  return createMCPClient({ transport });
}

async function connectOverHttp(workspace: PeerWorkspace): Promise<MCPClient> {
  workspace.environment.HAFT_TOKEN = "a-token-that-is-long-enough";
  const ready = /http:\/\/127\.0\.0\.1:\d+\/mcp/;
  const [url] = await workspace.serve(["mcp", "--http", "--port", "0"], ready);
  const headers = { Authorization: `Bearer ${workspace.environment.HAFT_TOKEN}` };
  return createMCPClient({ transport: { type: "http", url, headers } });
}
