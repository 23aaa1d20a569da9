// Serves tools and versions on a directory and a free port, as a process of its own. Says where as
// one line of JSON, and goes on until it is ended.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAuthenticator } from "../../auth/create-authenticator.ts";
import { createOrganization } from "../../organizations/create-organization.ts";
import { openPlatformParts } from "../../serve/open-platform-parts.ts";
import { toolRoutes } from "../../tools/tool-routes.ts";
import { versionRoutes } from "../../versions/version-routes.ts";
import { createApiServer } from "../create-api-server.ts";

const [directory = ""] = process.argv.slice(2);
const parts = await openPlatformParts({ directory, environment: {} });
const { organization, api_key } = await createOrganization(parts, "served");
const api = await createApiServer({
  routes: [...toolRoutes(parts), ...versionRoutes(parts)],
  authenticator: createAuthenticator(parts),
  settings: parts.settings,
  version: "1.2.3",
  health: { ready: async () => ({ ok: true, checks: {} }) },
});
const listener = createServer(api.handle).listen(0, "127.0.0.1");
await once(listener, "listening");
const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
process.stdout.write(`${JSON.stringify({ url, organization, api_key })}\n`);
