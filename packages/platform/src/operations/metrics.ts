import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { InvocationMode, RunnerStats } from "../runner/runner.ts";

/** The platform's metrics, for `GET /metrics` and for exporters. */
export interface Metrics {
  recordRequest(route: string, status: number, seconds: number): void;
  recordRateLimited(route: string): void;
  recordInvocation(invocation: RecordedInvocation): void;
  recordPublish(result: "published" | "failed", seconds: number): void;
  /** Reads the state of the runner whenever metrics are collected. */
  watchRunner(stats: () => RunnerStats): void;
  /** Returns all metrics in the Prometheus text format. */
  text(): Promise<string>;
  readonly contentType: string;
  readonly registry: Registry;
}

/** An invocation that has ended. */
export interface RecordedInvocation {
  readonly toolId: string;
  readonly version: string;
  readonly result: "succeeded" | "failed";
  readonly mode: InvocationMode;
  readonly seconds: number;
}

interface Observer {
  observe(value: number): void;
}

const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
const publishBuckets = [0.5, 1, 2, 3, 5, 10, 20, 30, 60, 120, 300];

// Each has a series for every bucket and result.
const maxToolVersions = 100;
const otherTool = { tool: "other", version: "other" };

/** Creates metrics with their own registry, so that two platforms in one process stay apart. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "haft_http_request_duration_seconds",
    help: "Duration of requests by route and status.",
    labelNames: ["route", "status"],
    buckets: requestBuckets,
    registers,
  });
  const limited = new Counter({
    name: "haft_rate_limited_total",
    help: "Requests refused by a rate limit.",
    labelNames: ["route"],
    registers,
  });
  const invocations = new Histogram({
    name: "haft_invocation_duration_seconds",
    help: "Duration of tool invocations by result and mode.",
    labelNames: ["result", "mode"],
    buckets: requestBuckets,
    registers,
  });
  const invocationCount = new Counter({
    name: "haft_invocations_total",
    help: "Tool invocations by result and mode.",
    labelNames: ["result", "mode"],
    registers,
  });
  const toolInvocations = new Histogram({
    name: "haft_tool_invocation_duration_seconds",
    help: `Duration of invocations by tool, version and result; "other" beyond ${maxToolVersions} versions.`,
    labelNames: ["tool", "version", "result"],
    buckets: requestBuckets,
    registers,
  });
  const toolVersions = new Set<string>();
  const publishes = new Histogram({
    name: "haft_publish_duration_seconds",
    help: "Duration of publishing versions by result.",
    labelNames: ["result"],
    buckets: publishBuckets,
    registers,
  });
  const observerOf = createObservers(requests);

  return {
    recordRequest: (route, status, seconds) => observerOf(route, status).observe(seconds),
    recordRateLimited: (route) => limited.inc({ route }),
    recordInvocation: ({ toolId, version, result, mode, seconds }) => {
      invocations.observe({ result, mode }, seconds);
      invocationCount.inc({ result, mode });
      const key = `${toolId} ${version}`;
      if (toolVersions.size < maxToolVersions) toolVersions.add(key);
      const labels = toolVersions.has(key) ? { tool: toolId, version } : otherTool;
      toolInvocations.observe({ ...labels, result }, seconds);
    },
    recordPublish: (result, seconds) => publishes.observe({ result }, seconds),
    watchRunner: (stats) => addRunnerGauge(registry, stats),
    text: () => registry.metrics(),
    contentType: registry.contentType,
    registry,
  };
}

/** Caches the observer of each route and status, so that requests do not rebuild its labels. */
function createObservers(
  histogram: Histogram<"route" | "status">,
): (route: string, status: number) => Observer {
  const byRoute = new Map<string, Map<number, Observer>>();
  return (route, status) => {
    let byStatus = byRoute.get(route);
    if (byStatus === undefined) {
      byStatus = new Map();
      byRoute.set(route, byStatus);
    }
    let observer = byStatus.get(status);
    if (observer === undefined) {
      observer = histogram.labels(route, String(status));
      byStatus.set(status, observer);
    }
    return observer;
  };
}

function addRunnerGauge(registry: Registry, stats: () => RunnerStats): void {
  new Gauge({
    name: "haft_runner_workers",
    help: "Sandboxes of the runner by state, and invocations waiting for one.",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(stats())) this.set({ state }, count);
    },
  });
}
