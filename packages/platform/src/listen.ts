import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { explainListening, toServerUrl } from "@haft/computer";

/** Answers one request. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Where to listen. */
export interface ListenPlace {
  /** 0 for any free port. */
  readonly port: number;
  readonly hostname: string;
}

/** A server that listens. */
export interface Listening {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Takes no more connections, and cuts those that are left. */
  close(): Promise<void>;
}

// Longer than a push may take.
const receiveTimeoutMs = 16 * 60_000;

/** Listens for requests. A port that can't be had is explained. */
export async function listen(handle: RequestHandler, place: ListenPlace): Promise<Listening> {
  const { port: wanted, hostname } = place;
  // A push of a repository may take its time; who only sends headers may not.
  const server = createServer(
    { requestTimeout: receiveTimeoutMs, headersTimeout: 30_000, keepAliveTimeout: 72_000 },
    handle,
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(explainListening(error, wanted, hostname)));
    server.listen({ port: wanted, host: hostname }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: toServerUrl(hostname, port),
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
