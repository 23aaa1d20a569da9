import { type CallRequest, type Plan, toVisibleText } from "@haft/core";
import type { Command } from "../command.ts";
import type { Io } from "../io.ts";
import { openWorkspace } from "../open-workspace.ts";
import { commonHelp, commonOptions } from "../options/common-option-table.ts";
import { readCommonOptions } from "../options/common-options.ts";
import { envelopeHelp, envelopeOption, readEnvelope } from "../options/envelope.ts";
import { readBatch, readSource } from "../options/read-batch.ts";
import { exitCodeOfAll, printJson, printOutcomes } from "../terminal/print-result.ts";

/** `haft batch` */
export const batch: Command = {
  help: `Make several calls at once. Calls that conflict keep their order, all others run side by side.

Usage: haft batch [FILE | -] [--plan]

The input is a JSON array of calls: [{"id": "a", "name": "read", "arguments": {"path": "x"}}, …].
Results come in request order: [{"id", "name", "result"}, …]. The exit code is that of the first
call that failed.

      --plan            run nothing; show what would run beside what, and why not
${envelopeHelp}

Examples:
  haft batch calls.json --json
  echo '[{"name":"read","arguments":{"path":"a"}},{"name":"read","arguments":{"path":"b"}}]' | haft batch
  haft batch calls.json --plan

${commonHelp}`,
  options: { ...commonOptions, ...envelopeOption, plan: { type: "boolean" } },
  run: async (input, io) => {
    const options = readCommonOptions(input, io);
    const wrap = readEnvelope(input);
    const requests = readBatch(await readSource(input.positionals, io));
    const workspace = await openWorkspace(options, io);
    const session = workspace.openSession();
    if (input.options.plan === true) {
      const plan = await session.plan(requests);
      await workspace.close();
      if (options.json) printJson(plan, io);
      else printPlan(plan, requests, io);
      return 0;
    }
    const outcomes = await session.batch(requests, { signal: io.signal });
    await workspace.close();
    if (options.json) {
      printJson(
        outcomes.map(({ id, name, result }) => ({ id, name, result: wrap(result) })),
        io,
      );
    } else printOutcomes(outcomes, io);
    return exitCodeOfAll(outcomes);
  },
};

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
