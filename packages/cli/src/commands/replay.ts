import { replayThread, type Threads } from "@haft/agent/threads";
import { createReplay } from "@haft/core";
import type { Command } from "../command.ts";
import type { Io } from "../io.ts";
import { commonHelp, commonOptions } from "../options/common-option-table.ts";
import { readCommonOptions } from "../options/common-options.ts";
import { readBatch, readSource } from "../options/read-batch.ts";
import { exitCodeOfAll, printJson, printOutcomes } from "../terminal/print-result.ts";
import { UsageError } from "../usage-error.ts";
import { withRecords } from "./sessions/open-records.ts";
import { showMessage } from "./sessions/show-moment.ts";
import { readTimeline } from "./sessions/timeline.ts";

/** `haft replay` */
export const replay: Command = {
  help: `Give recorded results again, without touching files, network or programs, or asking a model.

Usage: haft replay ID             everything of a session as it happened: what was said, every call
                                  with its result; --json the results alone
       haft replay ID --events    what an agent's session told while it happened, one JSON object a
                                  line, as haft agent --json prints it
       haft replay ID FILE | -    the calls of a batch, answered from the session's record

ID is a session's name in this workspace, or its whole id (see haft sessions list --all). The same
call made twice gets the first result first. A call that was not recorded gets the error not-found.

Examples:
  haft replay default --json
  haft replay default calls.json

${commonHelp}`,
  options: { ...commonOptions, events: { type: "boolean" } },
  run: async (input, io) => {
    const options = readCommonOptions(input, io);
    const [wanted, ...source] = input.positionals;
    if (wanted === undefined) throw new UsageError("Which session? haft sessions lists them.");
    return withRecords(options, io, async ({ threads, find }) => {
      const id = find(wanted);
      if (source.length > 0) {
        const recording = createReplay(threads.calls(id));
        const outcomes = await recording.batch(readBatch(await readSource(source, io)));
        if (options.json) printJson(outcomes, io);
        else printOutcomes(outcomes, io);
        return exitCodeOfAll(outcomes);
      }
      if (input.options.events === true) printEvents(threads, id, io);
      else if (options.json) printJson(createReplay(threads.calls(id)).all(), io);
      else if (!printTimeline(threads, id, io)) {
        io.out(`Nothing is recorded in session ${wanted}.\n`);
      }
      return 0;
    });
  },
};

function printEvents(threads: Threads, id: string, io: Io): void {
  const facts = threads.find(id);
  if (facts === undefined) {
    throw new UsageError(`No agent worked in session ${id}: use --json to see its calls.`);
  }
  replayThread({ facts, entries: threads.entries(id), calls: threads.calls(id) }, (event) =>
    io.out(`${JSON.stringify(event)}\n`),
  );
}

/** Whether there was anything to print. */
function printTimeline(threads: Threads, id: string, io: Io): boolean {
  const moments = readTimeline(threads, id);
  for (const moment of moments) {
    if (moment.type === "message") io.out(`${showMessage(moment.entry)}\n`);
    else {
      const { callId, name, result } = moment.call;
      printOutcomes([{ id: callId, name, result }], io);
    }
  }
  return moments.length > 0;
}
