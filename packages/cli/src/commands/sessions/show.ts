import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { readCount } from "../../options/read-count.ts";
import { printJson } from "../../terminal/print-result.ts";
import { withRecords } from "./open-records.ts";
import { showMoment } from "./show-moment.ts";
import { readTimeline, toMomentJson } from "./timeline.ts";

/** `haft sessions show` */
export async function showSession(
  input: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const wanted = input.positionals[0] ?? options.session;
  const limit = readCount(input, "limit") ?? Number.POSITIVE_INFINITY;
  const moments = await withRecords(options, io, ({ threads, find }) =>
    readTimeline(threads, find(wanted)),
  );
  const shown = moments.slice(-Math.min(limit, moments.length));
  if (options.json) {
    printJson(shown.map(toMomentJson), io);
    return 0;
  }
  if (moments.length === 0) io.out(`Session ${wanted} has no recorded messages or calls.\n`);
  const left = moments.length - shown.length;
  if (left > 0) io.out(`(${left} earlier entries not shown)\n`);
  for (const moment of shown) io.out(showMoment(moment));
  return 0;
}
