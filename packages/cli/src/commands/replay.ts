import { createReplay } from "@haft/core";
import type { Command } from "../command.ts";
import { openRecorder } from "../open-workspace.ts";
import { commonHelp, commonOptions } from "../options/common-option-table.ts";
import { readCommonOptions } from "../options/common-options.ts";
import { findSession } from "../options/find-session.ts";
import { readBatch, readSource } from "../options/read-batch.ts";
import { exitCodeOfAll, printJson, printOutcomes } from "../terminal/print-result.ts";
import { UsageError } from "../usage-error.ts";

/** `haft replay` */
export const replay: Command = {
  help: `Give recorded results again, without touching files, network or programs.

Usage: haft replay ID             every call of a session, as it happened
       haft replay ID FILE | -    the calls of a batch, answered from the session's record

ID is a session's name in this workspace, or its whole id (see haft sessions list --all). The same
call made twice gets the first result first. A call that was not recorded gets the error not-found.

Examples:
  haft replay default --json
  haft replay default calls.json

${commonHelp}`,
  options: commonOptions,
  run: async (input, io) => {
    const options = readCommonOptions(input, io);
    const [wanted, ...source] = input.positionals;
    if (wanted === undefined) throw new UsageError("Which session? haft sessions lists them.");
    const recorder = await openRecorder(io);
    const recording = createReplay(recorder.list(findSession(wanted, options, io)));
    await recorder.close();
    const outcomes =
      source.length === 0
        ? recording.all()
        : await recording.batch(readBatch(await readSource(source, io)));
    if (options.json) printJson(outcomes, io);
    else if (outcomes.length > 0) printOutcomes(outcomes, io);
    else io.out(`Nothing is recorded in session ${wanted}.\n`);
    return source.length === 0 ? 0 : exitCodeOfAll(outcomes);
  },
};
