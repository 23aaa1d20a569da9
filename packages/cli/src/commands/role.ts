import { toVisibleLine } from "@haft/core";
import type { Command, CommandInput } from "../command.ts";
import type { AccessControl } from "../environments/access-control.ts";
import { type OpenLocalPlatform, openLocalPlatform } from "../environments/local-platform.ts";
import { accessHelp, accessOptions, openAccess } from "../environments/open-access.ts";
import { optionTexts, refuseMore } from "../environments/option-values.ts";
import { reportPlatformErrors } from "../environments/report-platform-error.ts";
import type { Io } from "../io.ts";
import { printJson } from "../terminal/print-result.ts";
import { UsageError } from "../usage-error.ts";

type Action = (access: AccessControl, input: CommandInput, io: Io) => Promise<number>;

/** Makes `haft role`, which works on stores that `open` opens where no server answers. */
export function createRoleCommand(open: OpenLocalPlatform): Command {
  return {
    help: `Make, list and delete an organization's roles: what the holders of an API key may do.

Usage: haft role create NAME --permission RESOURCE:ACTION …
       haft role [list]
       haft role delete NAME

      --permission P    such as Tool:InvokeTool, repeatable; a key of the role may do exactly these

Examples:
  haft role create caller --permission Tool:InvokeTool
  haft key create --role caller --name ci
  haft role delete caller

${accessHelp}`,
    options: { ...accessOptions, permission: { type: "string", multiple: true } },
    run: async (input, io) => {
      const [name = "list", ...positionals] = input.positionals;
      const given = { ...input, positionals };
      const action = readAction(name, given);
      return reportPlatformErrors(given, io, async () => {
        const access = await openAccess(given, io, open);
        try {
          return await action(access, given, io);
        } finally {
          await access.close();
        }
      });
    },
  };
}

/** `haft role` */
export const role: Command = createRoleCommand(openLocalPlatform);

function readAction(action: string, input: CommandInput): Action {
  const { positionals } = input;
  refuseMore(positionals, action === "list" ? 0 : 1);
  if (action === "list") return list;
  const [name] = positionals;
  if (action !== "create" && action !== "delete") {
    throw new UsageError(`role can create, list, delete, not ${JSON.stringify(action)}.`);
  }
  if (name === undefined) throw new UsageError("Which role? Name it.");
  if (action === "delete") return (access, given, io) => remove(name, access, { given, io });
  const permissions = optionTexts(input, "permission").flatMap((text) => text.split(","));
  if (permissions.length === 0) {
    throw new UsageError("What may it do? --permission RESOURCE:ACTION, repeatable.");
  }
  const wrong = permissions.find((permission) => !/^[A-Za-z]+:[A-Za-z]+$/u.test(permission));
  if (wrong !== undefined) {
    throw new UsageError(
      `${JSON.stringify(wrong)} is no permission. It looks like Tool:InvokeTool.`,
    );
  }
  return async (access, { options }, io) => {
    const made = await access.createRole({ name, permissions });
    if (options.json === true) printJson(made, io);
    else
      io.out(
        `${toVisibleLine(`Made the role ${name}. A key with it: haft key create --role ${name}`)}\n`,
      );
    return 0;
  };
}

async function list(access: AccessControl, { options }: CommandInput, io: Io): Promise<number> {
  const roles = await access.listRoles();
  if (options.json === true) printJson({ roles }, io);
  for (const { name, permissions } of options.json === true ? [] : roles) {
    io.out(`${toVisibleLine(`${name}  ${permissions.join(" ")}`)}\n`);
  }
  return 0;
}

async function remove(
  name: string,
  access: AccessControl,
  { given, io }: { readonly given: CommandInput; readonly io: Io },
): Promise<number> {
  await access.deleteRole(name);
  if (given.options.json === true) printJson({ name, deleted: true }, io);
  else io.out(`${toVisibleLine(`Deleted the role ${name}.`)}\n`);
  return 0;
}
