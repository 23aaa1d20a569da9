import type { Command } from "../command.ts";
import { type OpenLocalPlatform, openLocalPlatform } from "../environments/local-platform.ts";
import { onPlatform } from "./loaders.ts";
import { storeOptions } from "./option-groups.ts";

/** Declares `haft secrets` for the stores that `open` opens. */
export function declareSecrets(open: OpenLocalPlatform): Command {
  return {
    subcommands: {
      rotate: {
        summary: "Replace the master key and encrypt every secret with the new one",
        details: `
Writes a new key to the data directory's master.key, encrypts every secret with it, and deletes the old
key. If it is interrupted, nothing is lost and it can be run again. If the key comes from
HAFT_MASTER_KEY, every secret is encrypted with the first key in it. Servers may be running: it waits
until each of them has the new key, and changes nothing if one does not get it.`,
        groups: [storeOptions],
        examples: ["haft secrets rotate", "haft secrets rotate --data ./data --json"],
        load: onPlatform(async () => (await import("../commands/secrets.ts")).rotateSecrets(open)),
      },
    },
  };
}

/** `haft secrets` */
export const secrets: Command = declareSecrets(openLocalPlatform);
