import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that a receiver got. */
export interface Received {
  readonly id: string;
  readonly timestamp: string;
  /** Each as `v1,…`. */
  readonly signatures: readonly string[];
  readonly body: string;
  readonly event: { readonly type: string; readonly data: Readonly<Record<string, unknown>> };
}

/** A receiver of webhooks on a free port. */
export interface Receiver {
  readonly url: string;
  /** `HOST:PORT` */
  readonly host: string;
  readonly received: Received[];
  /** The status of the next answers; `undefined` for none at all. */
  answer(status: number | undefined): void;
  /** Resolves to the first event of a type that fits. */
  until(type: string, fits?: (received: Received) => boolean): Promise<Received>;
  close(): void;
}

/** Opens a receiver. */
export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let status: number | undefined = 200;
  let onReceived = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join("");
    const { headers } = request;
    received.push({
      id: String(headers["webhook-id"]),
      timestamp: String(headers["webhook-timestamp"]),
      signatures: String(headers["webhook-signature"]).split(" "),
      body,
      event: JSON.parse(body) as Received["event"],
    });
    onReceived.resolve();
    onReceived = Promise.withResolvers();
    if (status === undefined) return;
    response
      .writeHead(status, { location: "http://127.0.0.1:1/elsewhere" })
      .end(`It is ${status}.\0`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ url: `http://${host}/events`, host, received },
    answer: (next) => {
      status = next;
    },
    until: async (type, fits = () => true) => {
      for (;;) {
        const next = onReceived.promise;
        const found = received.find((each) => each.event.type === type && fits(each));
        if (found !== undefined) return found;
        await next;
      }
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Signs as Standard Webhooks says, independently of the platform. */
export function signReceived(secret: string, { id, timestamp, body }: Received): string {
  const key = Buffer.from(secret.replace(/^whsec_/u, ""), "base64");
  const content = [id, timestamp, body].join(".");
  return `v1,${createHmac("sha256", key).update(content, "utf8").digest("base64")}`;
}
