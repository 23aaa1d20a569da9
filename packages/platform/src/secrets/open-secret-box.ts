import { createSecretBox } from "./create-secret-box.ts";
import { type MasterKeyLocation, openMasterKeys } from "./master-keys.ts";
import type { SecretBox } from "./secret-box.ts";

/** Opens the box with the installation's master key; the first time it makes one. */
export function openSecretBox(location: MasterKeyLocation): SecretBox {
  return createSecretBox(openMasterKeys(location));
}
