// A process that publishes a tool and is killed at a given moment. Arguments: the database, the
// organization, the tool, and when to die.
import { newId } from "../../new-id.ts";
import { createAudit } from "../../operations/audit.ts";
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
const audit = createAudit({ store, now });
const touchAndDie = (): void => {
  store.touch();
  dieAt("committed");
};
const publisher = createPublisher({
  ...{
    store: { ...store, touch: touchAndDie },
    now,
    settings: defaultSettings,
    processId: "one-that-died",
  },
  ...openParts(bench, organization),
  audit: {
    ...audit,
    record: async (...line) => {
      await audit.record(...line);
      dieAt("audited");
    },
  },
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
