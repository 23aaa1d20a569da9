import type { Command } from "../command.ts";
import { type OpenLocalPlatform, openLocalPlatform } from "../environments/local-platform.ts";
import { refuseMore } from "../environments/option-values.ts";
import { reportPlatformErrors } from "../environments/report-platform-error.ts";
import { readStorePlace, storeHelp, storeOptions } from "../environments/store-options.ts";
import { printJson } from "../terminal/print-result.ts";
import { UsageError } from "../usage-error.ts";

/** Makes `haft secrets`, which works on stores that `open` opens. */
export function createSecretsCommand(open: OpenLocalPlatform): Command {
  return {
    help: `Change the master key that a platform's secrets are sealed with.

Usage: haft secrets rotate

Makes a new master key in the data directory's master.key, seals every secret with it, and forgets the
old one. Interrupted at any point nothing is lost, and it can be done again. Where the key comes from
HAFT_MASTER_KEY, everything is sealed with the first key in it.

Examples:
  haft secrets rotate
  haft secrets rotate --data ./data --json

${storeHelp}`,
    options: storeOptions,
    run: async (input, io) => {
      const [action, ...words] = input.positionals;
      if (action !== "rotate") {
        throw new UsageError(
          action === undefined
            ? "Say what to do: haft secrets rotate"
            : `secrets can rotate, not ${JSON.stringify(action)}.`,
        );
      }
      refuseMore(words, 0);
      const place = readStorePlace(input, io);
      return reportPlatformErrors(input, io, async () => {
        const platform = await open(place);
        try {
          const rotated = await platform.rotateSecrets();
          if (input.options.json === true) printJson(rotated, io);
          else {
            const { resealed, keyId } = rotated;
            io.out(
              `Sealed ${resealed} ${resealed === 1 ? "secret" : "secrets"} with the new key ${keyId}.\n`,
            );
          }
          return 0;
        } finally {
          await platform.close();
        }
      });
    },
  };
}

/** `haft secrets` */
export const secrets: Command = createSecretsCommand(openLocalPlatform);
