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

/** Where to send what. */
export interface ExportOptions {
  readonly tracesUrl: string | undefined;
  readonly metricsUrl: string | undefined;
  readonly serviceName: string;
  readonly metricsIntervalMs: number;
  readonly version: string;
  readonly metrics: Metrics;
}

// A collector that does not answer must not hold up the end of the server for long.
const patienceMs = 5_000;

/** Makes telemetry that sends as JSON over HTTP. Nothing global is registered. */
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
              exporter: new OTLPTraceExporter({ url: tracesUrl, timeoutMillis: patienceMs }),
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
    exporter: new OTLPMetricExporter({ url: options.metricsUrl, timeoutMillis: patienceMs }),
    exportIntervalMillis: options.metricsIntervalMs,
    // What `/metrics` shows is what is sent: nothing is counted twice on the way of a request.
    metricProducers: [createRegistryProducer(options.metrics.registry, options.version)],
  });
  return new MeterProvider({ resource, readers: [reader] });
}

async function finish<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    // Not the message: it may quote what somebody sent.
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

/** The caller's own span, as the W3C's header names it. */
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
