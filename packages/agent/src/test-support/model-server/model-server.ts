import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropicWire } from "./anthropic-wire.ts";
import { chatWire } from "./chat-wire.ts";
import { geminiWire } from "./gemini-wire.ts";
import type { ModelAnswer } from "./model-answer.ts";
import type { ModelRequest } from "./model-request.ts";
import { readRequest } from "./read-request.ts";
import { responsesWire } from "./responses-wire.ts";
import { sendAnswer } from "./send-answer.ts";
import { listAt, type ModelWire } from "./wire.ts";

/** What a model answers: these one by one, or whatever a function makes of a request. */
export type ModelScript =
  | readonly ModelAnswer[]
  | ((request: ModelRequest, index: number) => ModelAnswer | Promise<ModelAnswer>);

/** A provider whose paths are served. */
export type ServedProvider = "openai" | "anthropic" | "google" | "openai-compatible";

/** How a server is run. */
export interface ModelServerOptions {
  /** Maximum number of requests to keep, latest first. Default: all. */
  readonly keepRequests?: number;
}

/** A model on loopback that answers what it was told to, in every provider's language. */
export interface ModelServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** What the requests were, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** How many requests came, those included that are no longer kept. */
  readonly requestCount: number;
  /** What to give to a provider's package so that its paths fit. */
  baseUrl(provider: ServedProvider): string;
  close(): Promise<void>;
}

const wires = [responsesWire, chatWire, anthropicWire, geminiWire];

/** Starts a model on a free port of loopback. When a list is used up it answers `(no more answers)`. */
export async function startModelServer(
  script: ModelScript,
  { keepRequests = Number.POSITIVE_INFINITY }: ModelServerOptions = {},
): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  let count = 0;
  const server = createServer((request, response) => {
    // The client may go at any time, which is no matter of the server's.
    response.on("error", () => undefined);
    void serve(request, response).catch(() => response.destroy());
  });
  // Otherwise a connection may be closed in the moment in which a client uses it again.
  server.keepAliveTimeout = 10 * 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    requests,
    get requestCount() {
      return count;
    },
    baseUrl: (provider) => `${url}${provider === "google" ? "/v1beta" : "/v1"}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "", url);
    const wire = wires.find((one) => one.handles(pathname));
    if (request.method !== "POST" || wire === undefined) {
      const error = { message: `${request.method} ${pathname} is not served here.` };
      response.writeHead(404, { "content-type": "application/json" });
      response.end(JSON.stringify({ error }));
      return;
    }
    const asked = await readRequest(request, wire);
    const index = count++;
    requests.push(asked);
    if (requests.length > keepRequests) requests.shift();
    const answer = refuse(asked, wire) ?? (await decide(asked, index));
    await sendAnswer(response, { wire, request: asked, answer, number: index + 1 });
  }

  async function decide(request: ModelRequest, index: number): Promise<ModelAnswer> {
    if (typeof script !== "function") return script[index] ?? { text: "(no more answers)" };
    try {
      return await script(request, index);
    } catch (error) {
      // One that no client takes for a passing trouble, so that the test ends with it.
      return { status: 400, error: `The script failed: ${String(error)}` };
    }
  }
}

// Nothing is kept here, as with a provider that was asked to store nothing.
function refuse({ body }: ModelRequest, wire: ModelWire): ModelAnswer | undefined {
  if (wire.format !== "responses") return undefined;
  const reference = listAt(body, "input").find(({ type }) => type === "item_reference");
  if (reference === undefined) return undefined;
  return { status: 404, error: `Item with id '${reference.id}' not found: nothing is stored.` };
}
