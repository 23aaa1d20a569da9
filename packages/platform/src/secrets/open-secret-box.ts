import { createSecretBox } from "./create-secret-box.ts";
import { type MasterKeyLocation, openMasterKeys } from "./master-keys.ts";
import type { SecretBox } from "./secret-box.ts";

/** Opens a secret box with the installation's master key. Creates the key if there is none. */
export function openSecretBox(location: MasterKeyLocation): SecretBox {
  return createSecretBox(openMasterKeys(location));
}
