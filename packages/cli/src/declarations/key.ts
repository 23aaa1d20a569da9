import type { ArgumentDeclaration, Command, OptionDeclaration } from "../command.ts";
import { type OpenLocalPlatform, openLocalPlatform } from "../environments/local-platform.ts";
import { onAccess } from "./loaders.ts";
import { accessOptions } from "./option-groups.ts";

const groups = [accessOptions];

const id: ArgumentDeclaration = {
  name: "ID",
  description: "ID of the key. `haft key list` shows them",
};

const duration: OptionDeclaration = {
  value: "TIME",
  description: "How long the key is valid: 12h, 90d, 1y, or an ISO 8601 duration",
};

/** Declares `haft key`; where no server runs, it works on the stores that `open` opens. */
export function declareKey(open: OpenLocalPlatform): Command {
  return {
    defaultSubcommand: "list",
    subcommands: {
      create: {
        summary: "Create an API key",
        details: `
Prints api_key_id, api_key and expires_at, as JSON outside of a terminal. The key cannot be shown again.`,
        options: {
          name: { value: "NAME", description: "What the key is for" },
          role: {
            value: "ROLE",
            description: "What the key may do",
            default: "DefaultAdministratorRole, which may do everything",
          },
          permission: {
            value: "RESOURCE:ACTION[@TOOLS]",
            description:
              "Narrow the role to this permission, such as Tool:InvokeTool@set:support. See haft role create --help",
            multiple: true,
          },
          duration: { ...duration, default: "90d" },
        },
        groups,
        examples: [
          "haft key create --role caller --name ci --duration 90d",
          "haft key create --permission Tool:InvokeTool@tool:word_count --name desk",
        ],
        load: onAccess(open, async () => (await import("../commands/key/keys.ts")).createKey),
      },
      list: {
        summary: "List the organization's API keys",
        groups,
        examples: ["haft key list"],
        load: onAccess(open, async () => (await import("../commands/key/keys.ts")).listKeys),
      },
      rotate: {
        summary: "Replace an API key by a new one",
        details: `
Prints api_key_id, api_key and expires_at, as JSON outside of a terminal. The key cannot be shown again. If the old key is the
one that commands here use (credentials.json or --env), it is replaced there too.`,
        arguments: [id],
        options: {
          grace: {
            value: "TIME",
            description: "How long the old key stays valid",
            default: "it stops working at once",
          },
          duration,
        },
        groups,
        examples: ["haft key rotate 64f0c0ffee64f0c0ffee64f0 --grace 1h"],
        load: onAccess(open, async () => (await import("../commands/key/rotate.ts")).rotateKey),
      },
      delete: {
        summary: "Delete an API key",
        arguments: [id],
        options: { yes: { description: "Do not ask" } },
        groups,
        examples: ["haft key delete 64f0c0ffee64f0c0ffee64f0 --yes"],
        load: onAccess(open, async () => (await import("../commands/key/keys.ts")).deleteKey),
      },
    },
  };
}

/** `haft key` */
export const key: Command = declareKey(openLocalPlatform);
