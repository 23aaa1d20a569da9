import { toVisibleLine } from "@haft/core";
import type { CommandInput } from "../../command.ts";
import type { AccessControl } from "../../environments/access-control.ts";
import { refuseMore } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";

/** `haft key list` */
export async function listKeys(
  access: AccessControl,
  input: CommandInput,
  io: Io,
): Promise<number> {
  refuseMore(input.positionals, 0);
  const keys = await access.listKeys();
  if (input.options.json === true) {
    printJson({ api_keys: keys }, io);
    return 0;
  }
  const names = new Map((await access.listRoles()).map(({ id, name }) => [id, name]));
  for (const { key_id, name, role_id, expires_at } of keys) {
    const until = `until ${expires_at.slice(0, 10)}`;
    const parts = [key_id, names.get(role_id) ?? role_id, until, ...(name === null ? [] : [name])];
    io.out(`${toVisibleLine(parts.join("  "))}\n`);
  }
  return 0;
}
