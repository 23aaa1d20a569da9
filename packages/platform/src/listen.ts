import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { explainListening, toServerUrl } from "@haft/computer/internal";
import { createTlsServer, type TlsFiles } from "./tls-server.ts";

/** Handles one HTTP request. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** The address to listen on. */
export interface ListenOptions {
  /** 0 for any free port. */
  readonly port: number;
  readonly hostname: string;
  /** Serves HTTPS. Default: HTTP. */
  readonly tls?: TlsFiles | undefined;
  /** Receives why changed files are not used. */
  onTlsError?(error: Error): void;
}

/** A listening server. */
export interface Listening {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Refuses new connections and closes the open ones. */
  close(): Promise<void>;
}

// Longer than the time limit of a push.
const receiveTimeoutMs = 16 * 60_000;

/** Listens for requests. Throws an error that explains why a port can't be used. */
export async function listen(handle: RequestHandler, options: ListenOptions): Promise<Listening> {
  const { port: wanted, hostname } = options;
  const server = open(handle, options);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(explainListening(error, wanted, hostname)));
    server.listen({ port: wanted, host: hostname }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: toServerUrl(hostname, port).replace(/^http:/u, options.tls ? "https:" : "http:"),
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function open(handle: RequestHandler, { tls, onTlsError }: ListenOptions): Server {
  // A push may take long to arrive. Headers may not.
  const timeouts = {
    requestTimeout: receiveTimeoutMs,
    headersTimeout: 30_000,
    keepAliveTimeout: 72_000,
  };
  if (tls === undefined) return createServer(timeouts, handle);
  return createTlsServer(tls, { timeouts, handle, onError: onTlsError });
}
