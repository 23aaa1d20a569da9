import { randomBytes } from "node:crypto";
import { createAudit } from "../../operations/audit.ts";
import type { PlatformParts } from "../../platform-parts.ts";
import { defaultSettings } from "../../platform-settings.ts";
import { openSecretBox } from "../../secrets/open-secret-box.ts";
import type { Store } from "../../store/store.ts";

/** Parts whose clock stands still until it is moved. */
export interface TestParts extends PlatformParts {
  advance(milliseconds: number): void;
}

/** Makes what the platform is made with, on a store, with a master key of its own. */
export function createTestParts(store: Store, given: Partial<PlatformParts> = {}): TestParts {
  let time = Date.UTC(2027, 0, 1);
  const now = (): number => time;
  const environment = { HAFT_MASTER_KEY: randomBytes(32).toString("base64") };
  return {
    store,
    settings: defaultSettings,
    secrets: openSecretBox({ environment }),
    audit: createAudit({ store, now }),
    processId: "test",
    now,
    ...given,
    advance: (milliseconds) => {
      time += milliseconds;
    },
  };
}
