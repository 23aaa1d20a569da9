import { routeChecks } from "./route-faults.ts";
import type { RouteWorld } from "./route-world.ts";

/** Runs every check on every route of a server. */
export function describeEveryRoute(what: string, open: () => Promise<RouteWorld>): void {
  describe(what, () => {
    let world: RouteWorld;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world?.close());

    it("has routes", () => {
      expect(world.routes.length).toBeGreaterThan(0);
    });

    it.each(Object.entries(routeChecks))("%s", async (_says, check) => {
      const faults: string[] = [];
      for (const route of world.routes) {
        const found = await check(world, route);
        faults.push(...found.map((fault) => `${route.operationId} ${fault}`));
      }
      expect(faults).toEqual([]);
    });
  });
}
