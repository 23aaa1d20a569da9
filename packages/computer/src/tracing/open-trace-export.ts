import { toErrorMessage } from "@haft/contract/internal";
import type { TraceExport, TraceExportOptions } from "./trace-export.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Opens an exporter to the collector that the environment names, by the variables of OpenTelemetry.
 * Returns `undefined` without loading anything if it names none.
 */
export async function openTraceExport(
  environment: Environment,
  options: Pick<TraceExportOptions, "version" | "timeoutMs" | "warn">,
): Promise<TraceExport | undefined> {
  const url = findCollectorUrl(environment, "TRACES");
  if (url === undefined) return undefined;
  if (!/^https?:$/u.test(URL.parse(url)?.protocol ?? "")) {
    options.warn(
      "Traces are not sent: OTEL_EXPORTER_OTLP_ENDPOINT is not an HTTP address. Set it to one such as http://127.0.0.1:4318.",
    );
    return undefined;
  }
  const { TRACEPARENT: traceparent, TRACESTATE: tracestate } = environment;
  try {
    const { createTraceExport } = await import("./trace-export.ts");
    return createTraceExport({
      ...options,
      url,
      serviceName: environment.OTEL_SERVICE_NAME || "haft",
      timeoutMs: findTimeout(environment) ?? options.timeoutMs,
      hasContent: contentValues.has(environment[contentVariable]?.toLowerCase() ?? ""),
      ...(traceparent !== undefined && { parent: { traceparent, tracestate } }),
    });
  } catch (error) {
    // Such as settings that the exporter does not accept. Nothing must fail because of traces.
    options.warn(`Traces are not sent: ${toErrorMessage(error)}`);
    return undefined;
  }
}

/** Returns where a collector receives traces or metrics, or `undefined` if the environment names none. */
export function findCollectorUrl(
  environment: Environment,
  kind: "TRACES" | "METRICS",
): string | undefined {
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === "true") return undefined;
  if (environment[`OTEL_${kind}_EXPORTER`] === "none") return undefined;
  const own = environment[`OTEL_EXPORTER_OTLP_${kind}_ENDPOINT`];
  if (own) return own;
  const base = environment.OTEL_EXPORTER_OTLP_ENDPOINT;
  return base ? `${base.replace(/\/$/u, "")}/v1/${kind.toLowerCase()}` : undefined;
}

// The variable that instrumentations of other languages use, with their values for content in spans.
const contentVariable = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";
const contentValues = new Set(["true", "span_only", "span_and_event"]);

function findTimeout(environment: Environment): number | undefined {
  const given =
    environment.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ?? environment.OTEL_EXPORTER_OTLP_TIMEOUT;
  return Number(given) > 0 ? Number(given) : undefined;
}
