import { AsyncLocalStorage } from "node:async_hooks";
import type { SpanStart, TraceAttributes, TraceCarrier, TraceSpan, Tracing } from "@haft/core";
import {
  type Attributes,
  type Context,
  context,
  createTraceState,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";

/** Options of `toTracing`. */
export interface TracingOptions extends Pick<Tracing, "hasContent"> {
  /** The parent of spans that have no other. Default: they start a trace. */
  readonly parent?: TraceCarrier | undefined;
}

/**
 * Makes the spans of a session with a tracer of OpenTelemetry. The active span of the application is the
 * parent, and spans that the application starts while a tool runs are below the call.
 *
 * @example
 * ```ts
 * import { toTracing } from "@haft/computer/tracing";
 * import { trace } from "@opentelemetry/api";
 * import { openSession } from "haft";
 *
 * const session = openSession({ tracing: toTracing(trace.getTracer("my-app")) });
 * await session.call({ name: "read", arguments: { path: "README.md" } }); // span: execute_tool read
 * ```
 */
export function toTracing(tracer: Tracer, options: TracingOptions = {}): Tracing {
  const base = toContext(options.parent);

  const findParent = ({ parent }: SpanStart): Context => {
    if (parent instanceof TracerSpan) return parent.context;
    if (parent !== undefined) return toContext(parent);
    const active = context.active();
    if (trace.getSpan(active) !== undefined) return active;
    return running.getStore() ?? base;
  };

  return {
    ...(options.hasContent !== undefined && { hasContent: options.hasContent }),
    startSpan: (name, start = {}) => {
      const parent = findParent(start);
      const { kind = "internal", attributes = {} } = start;
      const span = tracer.startSpan(
        name,
        { kind: kinds[kind], attributes: toAttributes(attributes) },
        parent,
      );
      return new TracerSpan(span, trace.setSpan(parent, span));
    },
  };
}

// The context of the span whose `run` is executing, also where the application has registered no context
// manager. One for all, so that the spans of several tracers are in one trace.
const running = new AsyncLocalStorage<Context>();

const kinds = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT, server: SpanKind.SERVER };

class TracerSpan implements TraceSpan {
  readonly context: Context;
  readonly #span: Span;

  constructor(span: Span, own: Context) {
    this.#span = span;
    this.context = own;
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.#span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
  }

  get tracestate(): string | undefined {
    return this.#span.spanContext().traceState?.serialize() || undefined;
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  setAttributes(attributes: TraceAttributes): void {
    this.#span.setAttributes(toAttributes(attributes));
  }

  run<Result>(work: () => Result): Result {
    return running.run(this.context, () => context.with(this.context, work));
  }

  end(errorType?: string): void {
    if (errorType !== undefined) {
      // No message: it may quote arguments or output.
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
      this.#span.setAttribute("error.type", errorType);
    }
    this.#span.end();
  }
}

function toAttributes(attributes: TraceAttributes): Attributes {
  // OpenTelemetry does not modify arrays, though its type does not say so.
  return attributes as Attributes;
}

const format = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-|$)/u;

/** Returns a context whose span is that of another process. What is not valid starts a new trace. */
function toContext(carrier: TraceCarrier | undefined): Context {
  const [, traceId = "", spanId = "", flags = ""] = format.exec(carrier?.traceparent ?? "") ?? [];
  const { tracestate } = carrier ?? {};
  const found = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
    ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }),
  };
  return isSpanContextValid(found) ? trace.setSpanContext(ROOT_CONTEXT, found) : ROOT_CONTEXT;
}
