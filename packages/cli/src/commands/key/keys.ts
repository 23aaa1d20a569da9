import type { CommandInput } from "../../command.ts";
import type { AccessControl } from "../../environments/access-control.ts";
import { isConfirmed } from "../../environments/confirm.ts";
import { optionText } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { readDuration } from "../../options/read-duration.ts";
import { printFields, printJson } from "../../terminal/print-result.ts";
import { toTable } from "../../terminal/table.ts";
import { readPermissions } from "../role.ts";

const defaultDuration = "P90D";
const defaultRole = "DefaultAdministratorRole";

/** `haft key create` */
export async function createKey(
  access: AccessControl,
  input: CommandInput,
  io: Io,
): Promise<number> {
  const permissions = readPermissions(input);
  const issued = await access.createKey({
    name: optionText(input, "name") ?? null,
    duration: readDuration(input, "duration") ?? defaultDuration,
    role_name: optionText(input, "role") ?? defaultRole,
    ...(permissions.length > 0 && { permissions }),
  });
  printFields(issued, input, io);
  return 0;
}

/** `haft key list` */
export async function listKeys(
  access: AccessControl,
  input: CommandInput,
  io: Io,
): Promise<number> {
  const keys = await access.listKeys();
  if (input.options.json === true) {
    printJson({ api_keys: keys }, io);
    return 0;
  }
  const names = new Map((await access.listRoles()).map(({ id, name }) => [id, name]));
  const rows = keys.map(({ key_id, name, role_id, permissions, expires_at }) => [
    ...[key_id, name ?? "-", names.get(role_id) ?? role_id, expires_at.slice(0, 10)],
    permissions?.join(" ") ?? "all of the role",
  ]);
  io.out(toTable([["ID", "NAME", "ROLE", "EXPIRES", "PERMISSIONS"], ...rows]));
  return 0;
}

/** `haft key delete` */
export async function deleteKey(
  access: AccessControl,
  input: CommandInput,
  io: Io,
): Promise<number> {
  const [id = ""] = input.positionals;
  const question = `Delete the key ${JSON.stringify(id)}? It stops working at once.`;
  if (!(await isConfirmed(question, input, io))) {
    io.error("haft: nothing was deleted\n");
    return 1;
  }
  await access.deleteKey(id);
  if (input.options.json === true) printJson({ deleted_key_id: id }, io);
  else io.out(`Deleted the key ${JSON.stringify(id)}.\n`);
  return 0;
}
