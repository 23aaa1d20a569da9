// A process that publishes a tool and is killed at a given moment. Arguments: the database, the
// organization, the tool, and when to die.
import { newId } from "../../new-id.ts";
import { defaultSettings } from "../../platform-settings.ts";
import { openStore } from "../../store/open-store.ts";
import { createArtifactStore } from "../../versions/create-artifact-store.ts";
import { createPublisher } from "../create-publisher.ts";
import { openParts } from "./publish-bench.ts";

const [path = "", organization = "", toolId = "", moment = ""] = process.argv.slice(2);
const dieAt = (reached: string): void => {
  if (reached === moment) process.kill(process.pid, "SIGKILL");
};
const store = await openStore({ kind: "sqlite", path });
const now = (): number => Date.now();
const artifacts = createArtifactStore({ store, now });
const bench = {
  commits: ["1".repeat(40)],
  manifest: { inputSchema: { type: "object", additionalProperties: false } },
  whileBuilding: () => dieAt("building"),
};
const publisher = createPublisher({
  ...{ store, now, settings: defaultSettings, processId: "one-that-died" },
  ...openParts(bench, organization),
  audit: { record: async () => dieAt("committed") },
  artifacts: {
    get: artifacts.get,
    put: async (digest, content) => {
      await artifacts.put(digest, content);
      dieAt("stored");
    },
  },
});
await publisher.publish(
  { organization, userId: newId(), keyId: newId(), role: "any", may: () => true },
  { toolId, projectPath: "tools/look_up", bump: "patch" },
  { onProgress: ({ state }) => dieAt(state), onLog: () => undefined },
);
