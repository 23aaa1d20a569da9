import { toVisibleLine } from "@haft/core/internal";
import type { CommandInput } from "../command.ts";
import type { AccessControl } from "../environments/access-control.ts";
import { optionTexts } from "../environments/option-values.ts";
import type { Io } from "../io.ts";
import { printJson } from "../terminal/print-result.ts";
import { toTable } from "../terminal/table.ts";
import { UsageError } from "../usage-error.ts";

/** `haft role create` */
export async function createRole(
  access: AccessControl,
  input: CommandInput,
  io: Io,
): Promise<number> {
  const [name = ""] = input.positionals;
  const permissions = readPermissions(input);
  const created = await access.createRole({ name, permissions });
  if (input.options.json === true) printJson(created, io);
  else {
    const next = `haft key create --role ${name}`;
    io.out(`${toVisibleLine(`Created the role ${name}. Create a key with it: ${next}`)}\n`);
  }
  return 0;
}

/** Reads the values of `--permission`. */
export function readPermissions(input: CommandInput): readonly string[] {
  const permissions = optionTexts(input, "permission").flatMap((text) => text.split(","));
  const form = /^[A-Za-z]+:[A-Za-z]+(?:@(?:tool|tag|set):.+)?$/u;
  const wrong = permissions.find((permission) => !form.test(permission));
  if (wrong === undefined) return permissions;
  throw new UsageError(
    `${JSON.stringify(wrong)} is not a permission. Permissions look like Tool:InvokeTool, or Tool:InvokeTool@set:support for some tools.`,
  );
}

/** `haft role list` */
export async function listRoles(
  access: AccessControl,
  { options }: CommandInput,
  io: Io,
): Promise<number> {
  const roles = await access.listRoles();
  if (options.json === true) printJson({ roles }, io);
  else {
    const rows = roles.map(({ name, permissions }) => [name, permissions.join(" ") || "-"]);
    io.out(toTable([["NAME", "PERMISSIONS"], ...rows]));
  }
  return 0;
}

/** `haft role update` */
export async function updateRole(
  access: AccessControl,
  input: CommandInput,
  io: Io,
): Promise<number> {
  const [name = ""] = input.positionals;
  const updated = await access.replaceRole({ name, permissions: readPermissions(input) });
  if (input.options.json === true) printJson(updated, io);
  else io.out(`${toVisibleLine(`${name} now grants ${updated.permissions.join(" ")}.`)}\n`);
  return 0;
}

/** `haft role delete` */
export async function deleteRole(
  access: AccessControl,
  { positionals, options }: CommandInput,
  io: Io,
): Promise<number> {
  const [name = ""] = positionals;
  await access.deleteRole(name);
  if (options.json === true) printJson({ name, deleted: true }, io);
  else io.out(`${toVisibleLine(`Deleted the role ${name}.`)}\n`);
  return 0;
}
