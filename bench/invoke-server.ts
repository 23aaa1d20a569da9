// Serves invocations of a tool that does next to nothing: the bare way with node:http, or through all
// that the platform does with them. Reports its address to the parent process.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BenchTool, openBenchPlatform, type PublishedTools } from "./invoke-platform.ts";

const platforms: Record<string, BenchTool> = {
  haft: { runtime: "node" },
  reused: { runtime: "node", reuse: "process" },
  python: { runtime: "python" },
  "reused python": { runtime: "python", reuse: "process" },
};

const [, , kind = "", tools = "1"] = process.argv;
const directory = mkdtempSync(join(tmpdir(), "haft-bench-"));
process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
process.on("disconnect", () => process.exit());
const tool = platforms[kind];
process.send?.(
  tool === undefined
    ? await serveBarely()
    : await openBenchPlatform(directory, Number(tools), tool),
);

async function serveBarely(): Promise<PublishedTools> {
  const server = createServer(answerBarely).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const headers = { authorization: "Bearer bench", "content-type": "application/json" };
  return { urls: [`http://127.0.0.1:${port}/`], headers };
}

function answerBarely(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { inputs } = JSON.parse(String(Buffer.concat(chunks)));
    const output = `hello ${inputs[0].input_parameters.name}`;
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({ invocation_results: [{ succeeded: true, output, duration_ms: 0 }] }),
    );
  });
}
