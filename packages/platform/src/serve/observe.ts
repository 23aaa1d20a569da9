import type { Metrics } from "../operations/metrics.ts";
import type { Trace } from "../operations/trace.ts";
import type { Publisher } from "../publish/publisher.ts";
import type { Runner } from "../runner/runner.ts";

/** Receives metrics and traces. */
export interface Observers {
  readonly metrics: Metrics;
  /** Absent if traces are not collected. */
  readonly trace: Trace | undefined;
}

/** Counts and traces every run of a tool. */
export function observeRunner<R extends Runner>(runner: R, { metrics, trace }: Observers): R {
  metrics.watchRunner(() => runner.stats());
  const run: Runner["run"] = async (program, order) => {
    const result = await runner.run(program, order);
    // It goes on later.
    if ("waits" in result || "isInterrupted" in result) return result;
    const { succeeded, durationMs } = result;
    metrics.recordInvocation({
      toolId: program.toolId,
      version: program.version,
      result: succeeded ? "succeeded" : "failed",
      mode: order.mode,
      seconds: durationMs / 1_000,
    });
    return result;
  };
  if (trace === undefined) return { ...runner, run };
  return {
    ...runner,
    run: (program, order) =>
      trace(
        "tool.run",
        { "haft.tool": program.toolId, "haft.version": program.version, "haft.mode": order.mode },
        () => run(program, order),
      ),
  };
}

/** Counts and traces every publish. */
export function observePublisher(publisher: Publisher, { metrics, trace }: Observers): Publisher {
  const publish: Publisher["publish"] = async (principal, order, listener) => {
    const started = performance.now();
    const record = (result: "published" | "failed"): void =>
      metrics.recordPublish(result, (performance.now() - started) / 1_000);
    try {
      const published = await publisher.publish(principal, order, listener);
      record("published");
      return published;
    } catch (error) {
      record("failed");
      throw error;
    }
  };
  return {
    ...publisher,
    publish: (principal, order, listener) =>
      trace === undefined
        ? publish(principal, order, listener)
        : trace("tool.publish", { "haft.tool": order.toolId }, () =>
            publish(principal, order, listener),
          ),
  };
}
