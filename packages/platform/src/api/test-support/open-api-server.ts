import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type ApiServer, type ApiServerParts, createApiServer } from "../create-api-server.ts";
import { administrator, createSampleAuthenticator, organization } from "./sample-authenticator.ts";
import { sampleRoutes } from "./sample-routes.ts";

/** A server on a free port of this machine. */
export interface ListeningServer extends ApiServer {
  readonly url: string;
  readonly port: number;
  readonly organization: string;
  readonly token: string;
}

const maxBodyBytes = 256 * 1024;

/** Makes a server of the sample routes, for `fastify.inject`. */
export function makeApiServer(parts: Partial<ApiServerParts> = {}): Promise<ApiServer> {
  return createApiServer({
    routes: sampleRoutes,
    authenticator: createSampleAuthenticator(),
    settings: { requestsPerMinute: 6_000, maxBodyBytes },
    version: "1.2.3",
    health: { ready: async () => ({ ok: true, checks: { database: "ok" } }) },
    ...parts,
  });
}

/** Makes a server and listens for it, until `close`. */
export async function openApiServer(parts: Partial<ApiServerParts> = {}): Promise<ListeningServer> {
  const api = await makeApiServer(parts);
  const listener = createServer(api.handle);
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  return {
    ...api,
    url: `http://127.0.0.1:${port}`,
    port,
    organization,
    token: administrator.token,
    close: async () => {
      const closed = once(listener, "close");
      listener.close();
      listener.closeAllConnections();
      await Promise.all([closed, api.close()]);
    },
  };
}
