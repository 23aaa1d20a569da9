import { setTimeout as wait } from "node:timers/promises";
import type { ServerSentEvent } from "../api/route.ts";
import type { OperationInstance } from "./list-operations.ts";

const betweenLooksMs = 500;

/**
 * Yields the events of the latest operation on a tool until it ends, by polling its row. Used for
 * operations of other processes.
 */
export async function* watchOperation(
  look: () => Promise<OperationInstance | undefined>,
  signal: AbortSignal,
): AsyncGenerator<ServerSentEvent, void, void> {
  let told = 0;
  let state: string | undefined;
  const first = await look();
  for (let operation = first; operation !== undefined; operation = await look()) {
    if (operation.id !== first?.id) return;
    if (operation.state !== state && operation.ended_at === null) {
      ({ state } = operation);
      yield { event: "progress", data: { state, message: `The operation is ${state}` } };
    }
    const lines = operation.log.slice(told).split("\n");
    const unfinished = operation.ended_at === null ? (lines.pop() ?? "") : "";
    told = operation.log.length - unfinished.length;
    for (const line of lines) if (line !== "") yield { event: "log", data: { line } };
    if (operation.ended_at !== null) {
      yield tellEnd(operation);
      return;
    }
    if (signal.aborted) return;
    await wait(betweenLooksMs, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return;
  }
}

function tellEnd({ error, version }: OperationInstance): ServerSentEvent {
  if (error !== null) return { event: "error", data: { status: 400, detail: error } };
  return { event: "result", data: { new_version: version } };
}
