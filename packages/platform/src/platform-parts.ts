import type { Audit } from "./operations/audit.ts";
import type { PlatformSettings } from "./platform-settings.ts";
import type { SecretBox } from "./secrets/secret-box.ts";
import type { Store } from "./store/store.ts";

/** The dependencies that the platform's services share. A service picks those that it needs. */
export interface PlatformParts {
  readonly store: Store;
  readonly settings: PlatformSettings;
  readonly secrets: SecretBox;
  readonly audit: Audit;
  /** The ID of this process among those that share the store. */
  readonly processId: string;
  /** The current time in milliseconds. */
  now(): number;
}
