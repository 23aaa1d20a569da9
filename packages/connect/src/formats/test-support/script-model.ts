import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** A provider that answers what it was told to. */
export interface ScriptedModel {
  readonly url: string;
  /** The body of a request, counted from 0. */
  request(index: number): Record<string, unknown>;
}

/** Serves these answers one by one, whatever is asked, until the test ends. */
export async function scriptModel(answers: readonly unknown[]): Promise<ScriptedModel> {
  const requests: Record<string, unknown>[] = [];
  const server = createServer(async (request, response) => {
    requests.push(JSON.parse(await text(request)));
    const answer = answers[requests.length - 1];
    response.writeHead(answer === undefined ? 400 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { error: { message: "Nothing more was scripted." } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    request: (index) => {
      const body = requests[index];
      if (body === undefined) throw new Error(`There were ${requests.length} requests only.`);
      return body;
    },
  };
}
