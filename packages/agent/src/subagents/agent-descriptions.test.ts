import { expect, it } from "vitest";
import { discoverManifests } from "../manifests/discover-manifests.ts";
import { agentDescriptions } from "./agent-descriptions.ts";

it("the agents that are tools are described as in their manifests", () => {
  const shipped = discoverManifests({ workspace: "/nothing/is/here", environment: {} }).list();
  const tools = shipped.filter(({ isTool }) => isTool);
  expect(agentDescriptions).toEqual(
    Object.fromEntries(tools.map(({ name, description }) => [name, description])),
  );
});
