import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { anthropicWire } from "./anthropic-wire.ts";
import { chatWire } from "./chat-wire.ts";
import { geminiWire } from "./gemini-wire.ts";
import { responsesWire } from "./responses-wire.ts";
import type { Json, ModelAnswer, ModelCall, ModelRequest, OfferedTool } from "./wire.ts";

/** A model that makes the calls it was told to, one after the other, and then is done. */
export interface ScriptedModel {
  /** Where it is, without a path. */
  readonly url: string;
  /** Every tool that was ever offered to it. */
  readonly offered: readonly OfferedTool[];
  /** The results of its calls, in their order. */
  readonly results: readonly string[];
  /** All that it was told with the last of them, as it came. */
  readonly lastRequest: string;
}

/** A call that the model is to make. */
export interface PlannedCall extends Omit<ModelCall, "id"> {
  /** Makes the call wait. */
  readonly after?: Promise<unknown>;
  /** Is told when the result is there. */
  readonly onResult?: () => void;
}

const wires = [anthropicWire, responsesWire, chatWire, geminiWire];

/** Starts a model on loopback that speaks every provider's language; it ends with the test. */
export async function startScriptedModel(calls: readonly PlannedCall[]): Promise<ScriptedModel> {
  const offered = new Map<string, OfferedTool>();
  let results: readonly string[] = [];
  let lastRequest = "";
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get offered() {
      return [...offered.values()];
    },
    get results() {
      return results;
    },
    get lastRequest() {
      return lastRequest;
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://model");
    const wire = wires.find((one) => one.handles(pathname));
    if (request.method !== "POST" || wire === undefined) {
      response.writeHead(404, { "content-type": "application/json" }).end("{}");
      return;
    }
    const text = await readBody(request);
    const body = JSON.parse(text) as Json;
    const asked = wire.read(body);
    for (const tool of asked.tools) offered.set(tool.name, tool);
    if (asked.results.length > results.length) {
      for (const { onResult } of calls.slice(results.length, asked.results.length)) onResult?.();
      results = asked.results;
      lastRequest = text;
    }
    const said = await decide(asked);
    if (body.stream === true || searchParams.get("alt") === "sse") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(wire.stream(said).join(""));
    } else {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(wire.whole(said)));
    }
  }

  // What has been answered tells how far it is: clients ask for titles and summaries in between.
  async function decide({ tools, results: answered }: ModelRequest): Promise<ModelAnswer> {
    const next = calls[answered.length];
    if (tools.length === 0 || next === undefined) return { text: "That is all." };
    if (!tools.some(({ name }) => name === next.name)) {
      return { text: `${next.name} is not offered to me.` };
    }
    await next.after;
    const { name, arguments: given } = next;
    return { call: { name, arguments: given, id: `call_${answered.length + 1}` } };
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
