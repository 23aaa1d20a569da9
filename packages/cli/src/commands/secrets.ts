import type { RunCommand } from "../command.ts";
import type { OpenLocalPlatform } from "../environments/local-platform.ts";
import { readStoreLocation, withStore } from "../environments/store-options.ts";
import { printJson } from "../terminal/print-result.ts";

/** `haft secrets rotate` */
export function rotateSecrets(open: OpenLocalPlatform): RunCommand {
  return async (input, io) => {
    const rotated = await withStore(open, readStoreLocation(input, io), (platform) =>
      platform.rotateSecrets(),
    );
    if (input.options.json === true) printJson(rotated, io);
    else {
      const { resealed, keyId } = rotated;
      const count = `${resealed} ${resealed === 1 ? "secret" : "secrets"}`;
      io.out(`Encrypted ${count} with the new key ${keyId}.\n`);
    }
    return 0;
  };
}
