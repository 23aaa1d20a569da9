import type { Command } from "../command.ts";
import { type OpenLocalPlatform, openLocalPlatform } from "../environments/local-platform.ts";
import { onPlatform } from "./loaders.ts";
import { storeOptions } from "./option-groups.ts";

/** Declares `haft org` for the stores that `open` opens. */
export function declareOrg(open: OpenLocalPlatform): Command {
  return {
    defaultSubcommand: "list",
    subcommands: {
      create: {
        summary: "Create an organization",
        details: `
Prints the address of the platform and the API key of the new organization's administrator: url,
organization, user_id, api_key_id and api_key, as JSON outside of a terminal. The key cannot be shown
again.`,
        arguments: [{ name: "NAME", description: "Name of the organization" }],
        groups: [storeOptions],
        examples: ["haft org create acme", "haft org create acme --data ./data > acme.json"],
        load: onPlatform(async () => (await import("../commands/org.ts")).createOrganization(open)),
      },
      list: {
        summary: "List the organizations of a platform",
        groups: [storeOptions],
        examples: ["haft org list --database postgres://localhost/haft"],
        load: onPlatform(async () => (await import("../commands/org.ts")).listOrganizations(open)),
      },
    },
  };
}

/** `haft org` */
export const org: Command = declareOrg(openLocalPlatform);
