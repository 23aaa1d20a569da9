import type { Metrics } from "../operations/metrics.ts";
import type { Trace } from "../operations/trace.ts";
import type { Publisher } from "../publish/publisher.ts";
import type { Runner } from "../runner/runner.ts";

/** Who wants to know what is done. */
export interface Observers {
  readonly metrics: Metrics;
  /** Absent where nobody collects traces. */
  readonly trace: Trace | undefined;
}

/** Has every run of a tool counted and traced. */
export function observeRunner<R extends Runner>(runner: R, { metrics, trace }: Observers): R {
  metrics.watchRunner(() => runner.stats());
  const run: Runner["run"] = async (program, order) => {
    const result = await runner.run(program, order);
    const { succeeded, durationMs } = result;
    metrics.recordInvocation(succeeded ? "succeeded" : "failed", order.mode, durationMs / 1_000);
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

/** Has every publication counted and traced. */
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
