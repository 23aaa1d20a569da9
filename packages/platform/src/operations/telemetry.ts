import { findCollectorUrl, openTraceExport } from "@haft/computer/internal";
import type { TraceSpan, Tracing } from "@haft/core";
import type { Metrics } from "./metrics.ts";
import type { RequestEnd, Telemetry, Trace } from "./trace.ts";

// A collector that does not answer must not delay the shutdown for long.
const exportTimeoutMs = 5_000;

/**
 * Connects to the collector named in `OTEL_EXPORTER_OTLP_ENDPOINT`, or in the variable for `TRACES` or
 * `METRICS` only. Without one, nothing is loaded and nothing is sent.
 */
export async function openTelemetry(
  environment: Readonly<Record<string, string | undefined>>,
  options: { readonly version: string; readonly metrics: Metrics; warn(message: string): void },
): Promise<Telemetry | undefined> {
  const { version, metrics, warn } = options;
  const traces = await openTraceExport(environment, { version, warn, timeoutMs: exportTimeoutMs });
  const metricsUrl = findCollectorUrl(environment, "METRICS");
  if (traces === undefined && metricsUrl === undefined) return undefined;
  const meters = metricsUrl === undefined ? undefined : await exportMetrics(metricsUrl);
  return {
    trace: createTrace(traces?.tracing),
    traceRequest: ({ method, route, headers }, goOn) => {
      const { traceparent, tracestate } = headers;
      const span = traces?.tracing.startSpan(`${method} ${route}`, {
        kind: "server",
        attributes: { "http.request.method": method, "http.route": route },
        parent: {
          traceparent: String(traceparent ?? ""),
          ...(typeof tracestate === "string" && { tracestate }),
        },
      });
      if (span === undefined) goOn();
      else span.run(goOn);
      return (end) => endRequest(span, end);
    },
    close: async () => {
      await Promise.allSettled([traces?.close(), meters?.shutdown()]);
    },
  };

  async function exportMetrics(url: string): Promise<{ shutdown(): Promise<void> }> {
    const { createMeters } = await import("./telemetry-metrics.ts");
    return createMeters({
      url,
      version,
      registry: metrics.registry,
      serviceName: environment.OTEL_SERVICE_NAME || "haft",
      intervalMs: Number(environment.OTEL_METRIC_EXPORT_INTERVAL) || 60_000,
      timeoutMs: exportTimeoutMs,
    });
  }
}

function createTrace(tracing: Tracing | undefined): Trace {
  if (tracing === undefined) return (_name, _attributes, work) => work();
  return (name, attributes, work) => {
    const span = tracing.startSpan(name, { attributes });
    return span.run(() => finish(span, work));
  };
}

async function finish<Result>(span: TraceSpan, work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await work();
    span.end();
    return result;
  } catch (error) {
    // Not the message: it may quote request data.
    span.end(error instanceof Error ? error.name : typeof error);
    throw error;
  }
}

function endRequest(span: TraceSpan | undefined, { status, organization }: RequestEnd): void {
  span?.setAttributes({
    "http.response.status_code": status,
    ...(organization !== undefined && { "haft.organization": organization }),
  });
  span?.end(status >= 500 ? String(status) : undefined);
}
