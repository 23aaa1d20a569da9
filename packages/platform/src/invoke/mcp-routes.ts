import type { AnyRoute } from "../api/route.ts";
import { type OfferParts, openToolOffer } from "./create-tool-offers.ts";
import type { McpEndpoint } from "./tool-offer.ts";

/** The MCP endpoints of an organization: all tools that a key may invoke, or those of a tool set. */
export function mcpRoutes(endpoint: McpEndpoint, parts: OfferParts): readonly AnyRoute[] {
  const url = "/v1/:organization/mcp";
  const shared = {
    methods: ["POST"],
    basic: false,
    permission: "Tool:InvokeTool",
    about: "tools",
    handleRaw: async (request, response, { principal, params }) => {
      const userAgent = request.headers["user-agent"];
      const offer = await openToolOffer(parts, { principal, set: params.set_name, userAgent });
      await endpoint.handle(request, response, offer);
    },
  } as const satisfies Partial<AnyRoute>;
  return [
    {
      ...shared,
      url,
      operationId: "use-tools-over-mcp",
      summary: "Serves the tools that the key may invoke to MCP clients.",
    },
    {
      ...shared,
      url: `${url}/:set_name`,
      operationId: "use-tool-set-over-mcp",
      summary: "Serves the tools of a tool set that the key may invoke to MCP clients.",
    },
  ];
}
