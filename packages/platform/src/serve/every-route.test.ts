import { describeEveryRoute } from "../api/test-support/describe-every-route.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import { openRouteWorld } from "./test-support/open-route-world.ts";

describeStores("the platform's routes", (stores) => {
  describeEveryRoute("every route", () => openRouteWorld(stores));
});
