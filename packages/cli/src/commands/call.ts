import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { openWorkspace } from "../open-workspace.ts";
import { readCommonOptions } from "../options/common-options.ts";
import { readEnvelope } from "../options/envelope.ts";
import { readCallArguments } from "../options/read-call-arguments.ts";
import { exitCodeOf, printJson, printResult } from "../terminal/print-result.ts";

/** `haft call` */
export async function makeCall(input: CommandInput, io: Io): Promise<number> {
  const options = readCommonOptions(input, io);
  const wrap = readEnvelope(input);
  const [name = "", ...words] = input.positionals;
  const args = await readCallArguments(words, io);
  const workspace = await openWorkspace(options, io, { asksForTrust: true });
  const session = workspace.openSession();
  const result = await session.call({ name, arguments: args }, { signal: io.signal });
  await session.suspend();
  await workspace.close();
  if (options.json) printJson(wrap(result), io);
  else printResult(result, io);
  return exitCodeOf(result);
}
