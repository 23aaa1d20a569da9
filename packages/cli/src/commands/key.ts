import type { Command, CommandInput } from "../command.ts";
import type { AccessControl } from "../environments/access-control.ts";
import { type OpenLocalPlatform, openLocalPlatform } from "../environments/local-platform.ts";
import { accessHelp, accessOptions, openAccess } from "../environments/open-access.ts";
import { reportPlatformErrors } from "../environments/report-platform-error.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";

type Action = (access: AccessControl, input: CommandInput, io: Io) => Promise<number>;

const actions: Readonly<Record<string, () => Promise<Action>>> = {
  create: async () => (await import("./key/create.ts")).createKey,
  list: async () => (await import("./key/list.ts")).listKeys,
  delete: async () => (await import("./key/delete.ts")).deleteKey,
  rotate: async () => (await import("./key/rotate.ts")).rotateKey,
};

/** Makes `haft key`, which works on stores that `open` opens where no server answers. */
export function createKeyCommand(open: OpenLocalPlatform): Command {
  return {
    help: `Make, list, replace and delete an organization's API keys.

Usage: haft key create [--name NAME] [--role ROLE] [--duration TIME]
       haft key [list]
       haft key rotate ID [--grace TIME] [--duration TIME]
       haft key delete ID

create and rotate print {api_key_id, api_key, expires_at} as JSON; a key can't be shown again. Where
the rotated key is the one that commands here use (credentials.json or --env), it is replaced there.

      --name NAME       what it is for
      --role ROLE       what it may do (default: DefaultAdministratorRole, everything)
      --duration TIME   how long it works: 12h, 90d (default), 1y, or as ISO 8601 says it
      --grace TIME      with rotate: how long the old one goes on (default: not at all)
      --yes             with delete: do not ask

Examples:
  haft key create --role caller --name ci --duration 90d
  haft key rotate 64f0c0ffee64f0c0ffee64f0 --grace 1h
  haft key delete 64f0c0ffee64f0c0ffee64f0 --yes

${accessHelp}`,
    options: {
      ...accessOptions,
      name: { type: "string" },
      role: { type: "string" },
      duration: { type: "string" },
      grace: { type: "string" },
      yes: { type: "boolean" },
    },
    run: async (input, io) => {
      const [action = "list", ...positionals] = input.positionals;
      if (!Object.hasOwn(actions, action)) {
        const known = Object.keys(actions).join(", ");
        throw new UsageError(`key can ${known}, not ${JSON.stringify(action)}.`);
      }
      const run = await (actions[action] as () => Promise<Action>)();
      const given = { ...input, positionals };
      return reportPlatformErrors(given, io, async () => {
        const access = await openAccess(given, io, open);
        try {
          return await run(access, given, io);
        } finally {
          await access.close();
        }
      });
    },
  };
}

/** `haft key` */
export const key: Command = createKeyCommand(openLocalPlatform);
