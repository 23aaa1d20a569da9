import type { CommandInput } from "../../command.ts";
import type { AccessControl } from "../../environments/access-control.ts";
import { isConfirmed } from "../../environments/confirm.ts";
import { refuseMore } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";

/** `haft key delete` */
export async function deleteKey(
  access: AccessControl,
  input: CommandInput,
  io: Io,
): Promise<number> {
  refuseMore(input.positionals, 1);
  const [id] = input.positionals;
  if (id === undefined) throw new UsageError("Which key? haft key list shows their ids.");
  const question = `Delete the key ${JSON.stringify(id)}? Whoever uses it is locked out at once.`;
  const remedy = "Say that you mean it with --yes.";
  if (!(await isConfirmed(question, { ...input, remedy }, io))) {
    io.error("haft: nothing was deleted\n");
    return 1;
  }
  await access.deleteKey(id);
  if (input.options.json === true) printJson({ deleted_key_id: id }, io);
  else io.out(`Deleted the key ${JSON.stringify(id)}.\n`);
  return 0;
}
