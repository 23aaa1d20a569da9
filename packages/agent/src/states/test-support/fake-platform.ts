import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** A platform of a test's own. */
export interface FakePlatform {
  readonly url: string;
  /** The names of the tools that were invoked, in order. */
  readonly invoked: readonly string[];
  /** The bodies of their requests. */
  readonly bodies: readonly Readonly<Record<string, unknown>>[];
}

/** The id of the tool of this name. */
export function idOf(name: string): string {
  return Buffer.from(name).toString("hex").padEnd(24, "0").slice(0, 24);
}

/** Serves tools of these names, in one version each, for as long as a test runs. */
export async function startFakePlatform(names: readonly string[]): Promise<FakePlatform> {
  const invoked: string[] = [];
  const bodies: Readonly<Record<string, unknown>>[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://platform");
    const send = (body: unknown): void => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (url.pathname === "/v1/whoami") return send({ organization: "org", user_id: "user" });
    if (url.pathname === "/v1/org/tool/") {
      const ids = url.searchParams.getAll("id");
      const found = names.filter((name) => ids.includes(idOf(name)));
      const tools = found.map((name) => ({
        id: idOf(name),
        name,
        deprecated: false,
        description: `Does ${name}.`,
      }));
      return send({ tools });
    }
    if (!url.pathname.endsWith("/invoke")) {
      const version = { major: 1, minor: 0, patch: 0 };
      return send({ tool_versions: [{ version, input_schema: { type: "object" } }] });
    }
    bodies.push(JSON.parse(await text(request)));
    const name = names.find((each) => url.pathname.includes(idOf(each))) as string;
    invoked.push(name);
    const result = { succeeded: true, output: `${name} done`, duration_ms: 1 };
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`event: result\ndata: ${JSON.stringify({ invocation_results: [result] })}\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, invoked, bodies };
}
