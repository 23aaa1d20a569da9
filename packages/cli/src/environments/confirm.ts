import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";

/** Asks a yes-or-no question; `--yes` answers it. Throws a `UsageError` if there is no terminal. */
export async function isConfirmed(question: string, input: CommandInput, io: Io): Promise<boolean> {
  if (input.options.yes === true) return true;
  if (!io.interactive)
    throw new UsageError("This needs confirmation, and there is no terminal. Add --yes.");
  const answer = await io.readLine(`${question} [y/n] `, io.signal);
  return /^y(?:es)?$/iu.test(answer?.trim() ?? "");
}
