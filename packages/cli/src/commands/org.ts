import { toVisibleLine } from "@haft/core";
import type { Command, CommandInput } from "../command.ts";
import { findCredentials } from "../environments/credentials.ts";
import {
  type LocalPlatform,
  type OpenLocalPlatform,
  openLocalPlatform,
} from "../environments/local-platform.ts";
import { refuseMore } from "../environments/option-values.ts";
import { reportPlatformErrors } from "../environments/report-platform-error.ts";
import { readStorePlace, storeHelp, storeOptions } from "../environments/store-options.ts";
import type { Io } from "../io.ts";
import { printJson } from "../terminal/print-result.ts";
import { UsageError } from "../usage-error.ts";

const usualUrl = "http://127.0.0.1:7423";

/** Makes `haft org`, which works on stores that `open` opens. */
export function createOrgCommand(open: OpenLocalPlatform): Command {
  return {
    help: `Make and list the organizations of a platform.

Usage: haft org create NAME
       haft org [list]

create prints, as JSON, where the platform is and the API key of the new organization's
administrator: {url, organization, user_id, api_key_id, api_key}. The key can't be shown again.

Examples:
  haft org create acme
  haft org create acme --data ./data > acme.json
  haft org list --database postgres://localhost/haft

${storeHelp}`,
    options: storeOptions,
    run: async (input, io) => {
      const [action = "list", ...words] = input.positionals;
      if (action !== "create" && action !== "list") {
        throw new UsageError(`org can create, list, not ${JSON.stringify(action)}.`);
      }
      refuseMore(words, action === "create" ? 1 : 0);
      const [name] = words;
      if (action === "create" && name === undefined) {
        throw new UsageError("What is it called? haft org create NAME");
      }
      const place = readStorePlace(input, io);
      return reportPlatformErrors(input, io, async () => {
        const platform = await open(place);
        try {
          if (name === undefined) return await list(platform, input, io);
          const created = await platform.createOrganization(name);
          const url =
            findCredentials(place.directory)?.url ?? (io.environment.HAFT_URL || usualUrl);
          printJson({ url, ...created }, io);
          return 0;
        } finally {
          await platform.close();
        }
      });
    },
  };
}

/** `haft org` */
export const org: Command = createOrgCommand(openLocalPlatform);

async function list(platform: LocalPlatform, input: CommandInput, io: Io): Promise<number> {
  const organizations = await platform.listOrganizations();
  if (input.options.json === true) printJson(organizations, io);
  else if (organizations.length === 0) io.out("There are none. haft org create NAME makes one.\n");
  else {
    for (const { id, name } of organizations) io.out(`${toVisibleLine(`${id}  ${name}`)}\n`);
  }
  return 0;
}
