/** Attributes of a span. They must not contain secrets. */
export type TraceAttributes = Readonly<
  Record<string, string | number | boolean | readonly string[]>
>;

/** Identifies a span across processes, in the format of the W3C headers of the same names. */
export interface TraceCarrier {
  readonly traceparent: string;
  readonly tracestate?: string | undefined;
}

/** How a span starts. */
export interface SpanStart {
  /** Default: `internal`. */
  readonly kind?: "internal" | "client" | "server";
  readonly attributes?: TraceAttributes;
  /** Default: the span whose `run` is executing, or the active span of the application. */
  readonly parent?: TraceCarrier | undefined;
}

/** A span that has started. */
export interface TraceSpan extends TraceCarrier {
  rename(name: string): void;
  setAttributes(attributes: TraceAttributes): void;
  /** Runs work, including what it awaits, with this span as the default parent. */
  run<Result>(work: () => Result): Result;
  /** Ends the span. An error type, such as an error code, marks it as failed. */
  end(errorType?: string): void;
}

/**
 * Receives the spans of sessions, agents and MCP connections. `toTracing` of `@haft/computer/tracing` makes
 * one for OpenTelemetry.
 */
export interface Tracing {
  /** Starts a span. Neither this nor a method of the span may throw. */
  startSpan(name: string, start?: SpanStart): TraceSpan;
  /**
   * Whether spans contain arguments, results and messages, with known and likely secrets replaced.
   * Default: false.
   */
  readonly hasContent?: boolean;
}
