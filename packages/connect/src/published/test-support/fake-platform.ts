import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A version of a tool that a fake platform has. */
export interface FakeVersion {
  readonly text: string;
  readonly schema?: object;
  readonly output?: object | null;
  /** What an invocation says: events first, then how it ends. */
  run(input: FakeInput): AsyncIterable<[event: string, data: unknown]>;
}

/** What reached the platform. */
export interface FakeInput {
  readonly body: Record<string, unknown>;
  readonly parameters: Record<string, unknown>;
}

/** A tool that a fake platform has. */
export interface FakeTool {
  readonly id: string;
  readonly name: string;
  readonly deprecated?: boolean;
  versions: FakeVersion[];
}

/** A platform that speaks the wire's shapes for as long as a test runs. */
export async function startFakePlatform(tools: readonly FakeTool[]): Promise<{ url: string }> {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://platform");
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (request.headers.authorization !== "Bearer key") return send(401, { detail: "Who?" });
    if (url.pathname === "/v1/whoami") return send(200, { organization: "org", user_id: "user" });
    if (url.pathname === "/v1/org/tool/") {
      const ids = url.searchParams.getAll("id");
      const found = tools.filter(({ id }) => ids.includes(id));
      return send(200, {
        tools: found.map(({ id, name, deprecated = false }) => ({
          id,
          name,
          deprecated,
          description: `About ${name}.`,
        })),
      });
    }
    const [, id, version] =
      /tool\/([^/]+)\/version(?:\/([^/]+)\/invoke)?$/u.exec(url.pathname) ?? [];
    const tool = tools.find((each) => each.id === id);
    if (tool === undefined) return send(404, { detail: "There is no such tool." });
    if (version === undefined) {
      const constraint = url.searchParams.get("versions");
      const fitting = tool.versions.filter(
        ({ text }) => constraint === "latest" || constraint?.includes(text),
      );
      return send(200, { tool_versions: fitting.slice(-1).map(describe) });
    }
    const found = tool.versions.find(({ text }) => text === version);
    if (found === undefined) return send(404, { detail: `${version} is deprecated.` });
    const body = JSON.parse(await readAll(request));
    response.writeHead(200, { "content-type": "text/event-stream" });
    const parameters = body.inputs[0].input_parameters;
    for await (const [event, data] of found.run({ body, parameters })) {
      response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** An invocation that ends with an output. */
export function succeed(output: string): [string, unknown] {
  return ["result", { invocation_results: [{ succeeded: true, output, duration_ms: 1 }] }];
}

/** An invocation that ends with an exception. */
export function fail(exception_type: string, exception_message: string): [string, unknown] {
  const failed = { exception_type, exception_message, exception_stack_trace: [], duration_ms: 1 };
  return ["result", { invocation_results: [{ succeeded: false, ...failed }] }];
}

function describe({ text, schema = { type: "object" }, output = null }: FakeVersion): unknown {
  const [major, minor, patch] = text.split(".").map(Number);
  return { version: { major, minor, patch }, input_schema: schema, output_schema: output };
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
