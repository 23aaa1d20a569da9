import type { RequestHandler } from "../listen.ts";
import { serveConsole } from "./serve-console.ts";

const apiPaths = new Set(["/healthz", "/readyz", "/metrics", "/openapi.json"]);

/**
 * Returns a handler that sends requests to the API, to the services of a workspace, which are below
 * `/api/` and at `/mcp`, or else to the console.
 */
export async function dispatchRequests(
  api: RequestHandler,
  beside: RequestHandler | undefined,
): Promise<RequestHandler> {
  const console = await serveConsole();
  return (request, response) => {
    const [path = "/"] = (request.url ?? "/").split("?", 1);
    if (path.startsWith("/v1/") || apiPaths.has(path)) api(request, response);
    else if (path.startsWith("/api/") || path === "/mcp") (beside ?? api)(request, response);
    else if (!console(request, response)) api(request, response);
  };
}
