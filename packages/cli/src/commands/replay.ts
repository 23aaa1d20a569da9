import { replayThread } from "@haft/agent/internal/threads";
import type { Threads } from "@haft/agent/threads";
import { createReplay } from "@haft/core";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { readCommonOptions } from "../options/common-options.ts";
import { readBatch, readSource } from "../options/read-batch.ts";
import { exitCodeOfAll, printJson, printOutcomes } from "../terminal/print-result.ts";
import { UsageError } from "../usage-error.ts";
import { withRecords } from "./sessions/open-records.ts";
import { showMessage } from "./sessions/show-moment.ts";
import { readTimeline } from "./sessions/timeline.ts";

/** `haft replay` */
export async function replaySession(input: CommandInput, io: Io): Promise<number> {
  const options = readCommonOptions(input, io);
  const [wanted = "", ...source] = input.positionals;
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
      io.out(`Session ${wanted} has no recorded messages or calls.\n`);
    }
    return 0;
  });
}

function printEvents(threads: Threads, id: string, io: Io): void {
  const facts = threads.find(id);
  if (facts === undefined) {
    throw new UsageError(`Session ${id} has no agent messages. Use --json to see its calls.`);
  }
  replayThread({ facts, entries: threads.entries(id), calls: threads.calls(id) }, (event) =>
    io.out(`${JSON.stringify(event)}\n`),
  );
}

/** Prints the messages and calls; returns whether there are any. */
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
