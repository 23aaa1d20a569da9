import type { ServerSentEvent } from "../api/route.ts";
import type { InvokeOptions } from "./create-invoker.ts";

/**
 * Runs a call to its end, even if the listener leaves, and yields its events: a `status` for each
 * status event of the tool, then the `result`.
 */
export function streamInvocation<Result>(
  run: (options: InvokeOptions) => Promise<Result>,
  toData: (result: Result) => unknown,
): AsyncIterable<ServerSentEvent> {
  const events: ServerSentEvent[] = [];
  let wake: (() => void) | undefined;
  let hasEnded = false;
  const running = run({
    onStatus: (input_index, event) => {
      events.push({ event: "status", data: { input_index, event } });
      wake?.();
    },
  }).finally(() => {
    hasEnded = true;
    wake?.();
  });
  // An error reaches the listener through the generator.
  running.catch(() => {});
  return (async function* tell() {
    for (;;) {
      yield* events.splice(0);
      if (hasEnded) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (hasEnded || events.length > 0) resolve();
      });
    }
    yield { event: "result", data: toData(await running) };
  })();
}
