import { clipText, toErrorMessage } from "@haft/contract/internal";
import type { Tracing } from "@haft/core";
import { toVisibleLine } from "@haft/core/internal";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from "@opentelemetry/sdk-trace";
import { type TracingOptions, toTracing } from "./to-tracing.ts";

/** Sends spans to a collector. */
export interface TraceExport {
  readonly tracing: Tracing;
  /** Sends what is still buffered, within the time limit. */
  close(): Promise<void>;
}

/** Where spans are sent, and as what. */
export interface TraceExportOptions extends TracingOptions {
  readonly url: string;
  readonly serviceName: string;
  readonly version: string;
  /** How long a collector may take to accept a batch. */
  readonly timeoutMs: number;
  /** Called once, when spans could not be sent. */
  warn(message: string): void;
}

/** Creates an exporter that sends JSON over HTTP. It registers nothing globally. */
export function createTraceExport(options: TraceExportOptions): TraceExport {
  const { url, timeoutMs } = options;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: timeoutMs });
  const provider = new TracerProvider({
    resource: detectResources({ detectors: [resourceAttributesEnvDetector] }).merge(
      resourceFromAttributes({
        "service.name": options.serviceName,
        "service.version": options.version,
      }),
    ),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: watchFailures(exporter, options),
        exportTimeoutMillis: 2 * timeoutMs,
      }),
    ],
  });
  return {
    tracing: toTracing(provider.getTracer("haft", options.version), options),
    // The warning has told of a failure.
    close: () => provider.shutdown().catch(() => {}),
  };
}

function watchFailures(
  exporter: SpanExporter,
  { url, warn }: Pick<TraceExportOptions, "url" | "warn">,
): SpanExporter {
  let hasWarned = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error !== undefined && !hasWarned) {
          hasWarned = true;
          warn(describeFailure(url, result.error));
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush?.() as Promise<void> }),
  };
}

function describeFailure(url: string, error: Error): string {
  // An address may contain credentials.
  const { origin, pathname } = new URL(url);
  const reason = clipText(toVisibleLine(toErrorMessage(error)), 200) || error.name;
  return `Traces could not be sent to ${origin}${pathname}: ${reason}. Nothing else is affected. Start a collector there, raise OTEL_EXPORTER_OTLP_TIMEOUT, or set OTEL_SDK_DISABLED=true.`;
}
