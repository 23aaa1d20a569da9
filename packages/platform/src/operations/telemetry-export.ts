import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { Metrics } from "./metrics.ts";
import { createRegistryProducer } from "./telemetry-metrics.ts";
import type { RequestEnd, Telemetry, TracedRequest } from "./trace.ts";

/** Options of the exporter. */
export interface ExportOptions {
  readonly tracesUrl: string | undefined;
  readonly metricsUrl: string | undefined;
  readonly serviceName: string;
  readonly metricsIntervalMs: number;
  readonly version: string;
  readonly metrics: Metrics;
}

// A collector that does not answer must not delay the shutdown for long.
const exportTimeoutMs = 5_000;

/** Creates telemetry that exports JSON over HTTP. It registers nothing globally. */
export function createExport(options: ExportOptions): Telemetry {
  const resource = resourceFromAttributes({
    "service.name": options.serviceName,
    "service.version": options.version,
  });
  const { tracesUrl } = options;
  const traces = new TracerProvider({
    resource,
    spanProcessors:
      tracesUrl === undefined
        ? []
        : [
            new BatchSpanProcessor({
              exporter: new OTLPTraceExporter({ url: tracesUrl, timeoutMillis: exportTimeoutMs }),
            }),
          ],
  });
  const meters = createMeters(resource, options);
  const current = new AsyncLocalStorage<Context>();
  const tracer = traces.getTracer("haft", options.version);
  return {
    trace: (name, attributes, work) => {
      const parent = current.getStore() ?? ROOT_CONTEXT;
      const span = tracer.startSpan(name, { attributes }, parent);
      return current.run(trace.setSpan(parent, span), () => finish(span, work));
    },
    traceRequest: (request, goOn) => {
      const parent = toParent(request.headers);
      const span = startRequest(tracer, request, parent);
      current.run(trace.setSpan(parent, span), goOn);
      return (end) => endRequest(span, end);
    },
    close: async () => {
      await Promise.allSettled([traces.shutdown(), meters?.shutdown()]);
    },
  };
}

function createMeters(resource: Resource, options: ExportOptions): MeterProvider | undefined {
  if (options.metricsUrl === undefined) return undefined;
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url: options.metricsUrl, timeoutMillis: exportTimeoutMs }),
    exportIntervalMillis: options.metricsIntervalMs,
    // Exports what `/metrics` shows, so that a request is counted once.
    metricProducers: [createRegistryProducer(options.metrics.registry, options.version)],
  });
  return new MeterProvider({ resource, readers: [reader] });
}

async function finish<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    // Not the message: it may quote request data.
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute("error.type", error instanceof Error ? error.name : typeof error);
    throw error;
  } finally {
    span.end();
  }
}

function startRequest(tracer: Tracer, { method, route }: TracedRequest, parent: Context): Span {
  return tracer.startSpan(
    `${method} ${route}`,
    {
      kind: SpanKind.SERVER,
      attributes: { "http.request.method": method, "http.route": route },
    },
    parent,
  );
}

function endRequest(span: Span, { status, organization }: RequestEnd): void {
  span.setAttribute("http.response.status_code", status);
  if (organization !== undefined) span.setAttribute("haft.organization", organization);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

const traceparent = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})/u;

/** Returns the caller's span from the W3C `traceparent` header. */
function toParent(headers: TracedRequest["headers"]): Context {
  const [, traceId, spanId, flags] = traceparent.exec(String(headers.traceparent ?? "")) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  const state = headers.tracestate;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
    ...(typeof state === "string" ? { traceState: createTraceState(state) } : {}),
  });
}
