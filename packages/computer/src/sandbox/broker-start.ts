import { createHash } from "node:crypto";
import { startAsOther } from "./root/start-as-other.ts";
import type { BrokerStart } from "./sandbox.ts";
import type { SandboxPlace } from "./sandbox-place.ts";

/** How to start a broker for sandboxes of a place: as whoever we are, unless we are root. */
export function brokerStartFor(place: SandboxPlace): BrokerStart {
  const asWeAre = { prefix: [], key: "as-we-are" };
  if (process.platform !== "linux" || process.getuid?.() !== 0) return asWeAre;
  const { prefix } = startAsOther(place);
  // Without it there is no sandbox either, and `openSandbox` says why.
  if (prefix === undefined) return asWeAre;
  return { prefix, key: createHash("sha256").update(JSON.stringify(prefix)).digest("hex") };
}
