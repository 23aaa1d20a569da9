import type { CallRequest, Plan } from "@haft/core";
import { toVisibleText } from "@haft/core/internal";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { openWorkspace } from "../open-workspace.ts";
import { readCommonOptions } from "../options/common-options.ts";
import { readEnvelope } from "../options/envelope.ts";
import { readBatch, readSource } from "../options/read-batch.ts";
import { exitCodeOfAll, printJson, printOutcomes } from "../terminal/print-result.ts";

/** `haft batch` */
export async function runBatch(input: CommandInput, io: Io): Promise<number> {
  const options = readCommonOptions(input, io);
  const wrap = readEnvelope(input);
  const requests = readBatch(await readSource(input.positionals, io));
  const workspace = await openWorkspace(options, io, { asksForTrust: true });
  const session = workspace.openSession();
  if (input.options.plan === true) {
    const plan = await session.plan(requests);
    await workspace.close();
    if (options.json) printJson(plan, io);
    else printPlan(plan, requests, io);
    return 0;
  }
  const outcomes = await session.batch(requests, { signal: io.signal });
  await session.suspend();
  await workspace.close();
  if (options.json) {
    printJson(
      outcomes.map(({ id, name, result }) => ({ id, name, result: wrap(result) })),
      io,
    );
  } else printOutcomes(outcomes, io);
  return exitCodeOfAll(outcomes);
}

function printPlan(plan: Plan, requests: readonly CallRequest[], io: Io): void {
  if (requests.length === 0) io.out("The batch is empty.\n");
  for (const { id, name, waits_for, error_text } of plan.calls) {
    const group = plan.batches.findIndex((ids) => ids.includes(id));
    const place = error_text === undefined ? `group ${group + 1}` : "fails";
    io.out(toVisibleText(`${id}  ${name}  ${place}\n`));
    if (error_text !== undefined) io.out(toVisibleText(`     ${error_text}\n`));
    for (const wait of waits_for) {
      io.out(toVisibleText(`     after ${wait.id}: ${wait.why}\n`));
    }
  }
}
