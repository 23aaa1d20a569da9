import type { ServerSentEvent } from "../api/route.ts";
import type { SimulationProgress, SimulationReport } from "./rule-values.ts";

/** Runs a simulation that reports its progress. */
export type RunSimulation = (
  onProgress: (progress: SimulationProgress) => void,
) => Promise<SimulationReport>;

/**
 * Runs a simulation and returns its events: `progress`, then `result`. Rejects with a refusal, so that it is answered
 * with its HTTP status.
 */
export async function streamSimulation(
  run: RunSimulation,
): Promise<AsyncIterable<ServerSentEvent>> {
  const begun = Promise.withResolvers<void>();
  let latest: SimulationProgress | undefined;
  let changed = Promise.withResolvers<void>();
  const running = run((progress) => {
    latest = progress;
    begun.resolve();
    changed.resolve();
    changed = Promise.withResolvers();
  });
  await Promise.race([begun.promise, running]);
  return follow();

  async function* follow(): AsyncGenerator<ServerSentEvent, void, void> {
    const ended = running.then((report) => ({ event: "result", data: report }));
    // The caller may be gone before the end is read.
    ended.catch(() => {});
    for (;;) {
      if (latest !== undefined) yield { event: "progress", data: latest };
      const end = await Promise.race([ended, changed.promise]);
      if (end === undefined) continue;
      yield end;
      return;
    }
  }
}
