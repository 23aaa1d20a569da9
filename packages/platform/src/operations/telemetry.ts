import type { Metrics } from "./metrics.ts";
import type { Telemetry } from "./trace.ts";

/**
 * Connects to the collector named in `OTEL_EXPORTER_OTLP_ENDPOINT`, or in the variable for `TRACES` or
 * `METRICS` only. Without one, nothing is loaded and nothing is sent.
 */
export async function openTelemetry(
  environment: Readonly<Record<string, string | undefined>>,
  options: { readonly version: string; readonly metrics: Metrics },
): Promise<Telemetry | undefined> {
  if (environment.OTEL_SDK_DISABLED === "true") return undefined;
  const tracesUrl = findUrl(environment, "TRACES");
  const metricsUrl = findUrl(environment, "METRICS");
  if (tracesUrl === undefined && metricsUrl === undefined) return undefined;

  const { createExport } = await import("./telemetry-export.ts");
  return createExport({
    ...options,
    tracesUrl,
    metricsUrl,
    serviceName: environment.OTEL_SERVICE_NAME || "haft",
    metricsIntervalMs: Number(environment.OTEL_METRIC_EXPORT_INTERVAL) || 60_000,
  });
}

function findUrl(
  environment: Readonly<Record<string, string | undefined>>,
  kind: "TRACES" | "METRICS",
): string | undefined {
  const own = environment[`OTEL_EXPORTER_OTLP_${kind}_ENDPOINT`];
  if (own) return own;
  const base = environment.OTEL_EXPORTER_OTLP_ENDPOINT;
  return base ? `${base.replace(/\/$/u, "")}/v1/${kind.toLowerCase()}` : undefined;
}
