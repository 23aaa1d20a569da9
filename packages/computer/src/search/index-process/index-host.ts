// The script of the index process, and of the threads that help it.
import { isMainThread, receiveMessageOnPort, workerData } from "node:worker_threads";
import type { CrewMember, CrewNews } from "./check-crew.ts";
import { checkRows, controlFields } from "./check-rows.ts";
import { serveIndex } from "./serve-index.ts";
import { StateTable } from "./state-table.ts";

if (isMainThread) serveIndex(process.argv[1] ?? "");
else helpChecking(workerData as CrewMember);

/** Helps a crew in this thread until the crew ends. */
function helpChecking({ control: shared, news, number }: CrewMember): void {
  const control = new Int32Array(shared);
  const place = controlFields.helpers + number;
  const paths: (string | undefined)[] = [];
  let table: StateTable | undefined;
  let round = Atomics.load(control, controlFields.round);
  for (;;) {
    Atomics.store(control, place, round);
    Atomics.notify(control, place);
    Atomics.wait(control, controlFields.round, round);
    round = Atomics.load(control, controlFields.round);
    if (Atomics.load(control, controlFields.count) === -1) return;
    for (let told = receiveMessageOnPort(news); told; told = receiveMessageOnPort(news)) {
      const { states, paths: added = [] } = told.message as CrewNews;
      if (states !== undefined) table = new StateTable(states);
      for (const [row, path] of added) paths[row] = path;
    }
    if (table !== undefined) checkRows(table, paths, control);
  }
}
