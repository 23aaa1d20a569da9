import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { openComputer } from "../../open-workspace.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { withRecords } from "./open-records.ts";

/** `haft sessions close` */
export async function closeSession(
  input: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const wanted = input.positionals[0] ?? options.session;
  const id = await withRecords(options, io, ({ find }) => find(wanted));
  const own = openComputer(options, io).openSession(id.slice(id.lastIndexOf("/") + 1));
  if (own.id !== id)
    throw new UsageError(
      `${wanted} is a session of another workspace. Name that workspace with -C.`,
    );
  await own.close();
  if (options.json) printJson({ id, closed: true }, io);
  else io.out(`Closed ${own.name}.\n`);
  return 0;
}
