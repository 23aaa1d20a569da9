import { type AnyRoute, defineRoute } from "./route.ts";
import { describeEveryRoute } from "./test-support/describe-every-route.ts";
import { makeApiServer } from "./test-support/open-api-server.ts";
import { routeChecks } from "./test-support/route-faults.ts";
import type { RouteWorld } from "./test-support/route-world.ts";
import {
  administrator,
  organization,
  powerless,
  stranger,
} from "./test-support/sample-authenticator.ts";
import { sampleRoutes } from "./test-support/sample-routes.ts";

const maxBodyBytes = 64 * 1024;

async function openWorld(routes: readonly AnyRoute[] = sampleRoutes): Promise<RouteWorld> {
  const api = await makeApiServer({
    routes,
    settings: { requestsPerMinute: 1_000, maxBodyBytes },
  });
  return {
    routes,
    server: api.fastify,
    organization,
    maxBodyBytes,
    tokens: {
      administrator: administrator.token,
      powerless: powerless.token,
      stranger: stranger.token,
    },
    close: api.close,
  };
}

describeEveryRoute("every sample route", openWorld);

describe("the checks of every route", () => {
  it("find a route that lets anybody do what it says is restricted, and one that checks nothing", async () => {
    const careless = defineRoute({
      method: "POST",
      url: "/v1/:organization/careless/:tool_id",
      operationId: "careless",
      summary: "Checks nothing.",
      permission: null,
      schema: { response: { 200: { type: "object" } } },
      handle: async () => ({ status: 200, body: {} }),
    });
    const world = await openWorld([careless]);
    const claimed: AnyRoute = {
      ...careless,
      permission: "Tool:CreateTool",
      schema: {
        params: { type: "object", properties: { tool_id: { pattern: "^[a-f0-9]{24}$" } } },
        querystring: { type: "object", properties: { limit: { type: "integer" } } },
        body: { type: "object", properties: { name: { type: "string" } } },
        response: {},
      },
    };
    const found: string[] = [];
    for (const check of Object.values(routeChecks)) found.push(...(await check(world, claimed)));
    expect(found).toEqual([
      "answers 200 and not 403",
      "answers 200 and not 422 to a wrong path.tool_id",
      "answers 200 and not 422 to a wrong query.limit",
      "answers 200 and not 422 to a wrong body",
      "answers 200 and not 422 to a wrong body.name",
    ]);
    await world.close();
  });
});
