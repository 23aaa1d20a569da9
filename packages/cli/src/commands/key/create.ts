import type { CommandInput } from "../../command.ts";
import type { AccessControl } from "../../environments/access-control.ts";
import { optionText, refuseMore } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { readDuration } from "./read-duration.ts";

const usualDuration = "P90D";
const usualRole = "DefaultAdministratorRole";

/** `haft key create` */
export async function createKey(
  access: AccessControl,
  input: CommandInput,
  io: Io,
): Promise<number> {
  refuseMore(input.positionals, 0);
  const issued = await access.createKey({
    name: optionText(input, "name") ?? null,
    duration: readDuration(input, "duration") ?? usualDuration,
    role_name: optionText(input, "role") ?? usualRole,
  });
  printJson(issued, io);
  return 0;
}
