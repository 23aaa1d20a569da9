import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";

/** Whether somebody says yes. Where nobody can be asked, `remedy` says how to say it beforehand. */
export async function isConfirmed(
  question: string,
  input: CommandInput & { readonly remedy: string },
  io: Io,
): Promise<boolean> {
  if (input.options.yes === true) return true;
  if (!io.interactive) throw new UsageError(`Nobody is here to be asked. ${input.remedy}`);
  const answer = await io.readLine(`${question} [y/n] `, io.signal);
  return /^y(?:es)?$/iu.test(answer?.trim() ?? "");
}
