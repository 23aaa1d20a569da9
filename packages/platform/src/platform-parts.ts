import type { Audit } from "./operations/audit.ts";
import type { PlatformSettings } from "./platform-settings.ts";
import type { SecretBox } from "./secrets/secret-box.ts";
import type { Store } from "./store/store.ts";

/** What everything on the platform is made with. A service takes those of them that it needs. */
export interface PlatformParts {
  readonly store: Store;
  readonly settings: PlatformSettings;
  readonly secrets: SecretBox;
  readonly audit: Audit;
  /** This process, among those that share the store. */
  readonly processId: string;
  /** Milliseconds. */
  now(): number;
}
