import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A server on this machine, for the running test. */
export interface LocalServer {
  readonly port: number;
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** What was asked for so far, `METHOD URL` each. */
  readonly requests: string[];
}

/** Starts an HTTP server on 127.0.0.1 that ends with the test. */
export async function startWebServer(listener: RequestListener): Promise<LocalServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    // Clients go away in the middle of answers; that is what many tests are about.
    response.on("error", () => {});
    listener(request, response);
  });
  return { ...(await listen(server)), requests };
}

/** Starts a server on 127.0.0.1 that does with each connection as told. */
export async function startTcpServer(serve: (socket: Socket) => void): Promise<LocalServer> {
  const requests: string[] = [];
  const server = createTcpServer((socket) => {
    requests.push("connection");
    socket.on("error", () => {});
    serve(socket);
  });
  return { ...(await listen(server)), requests };
}

async function listen(
  server: Server | ReturnType<typeof createTcpServer>,
): Promise<Omit<LocalServer, "requests">> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  return { port, origin: `http://127.0.0.1:${port}` };
}
