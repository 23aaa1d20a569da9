import type { IncomingHttpHeaders } from "node:http";

/** Attributes of a span. They must not contain secrets. */
export type TraceAttributes = Readonly<Record<string, string | number | boolean>>;

/** Runs work inside a span, below the span of the request or work that started it. */
export type Trace = <Result>(
  name: string,
  attributes: TraceAttributes,
  work: () => Promise<Result>,
) => Promise<Result>;

/** Sends traces and metrics to a collector. */
export interface Telemetry {
  readonly trace: Trace;
  /** Continues a request inside its own span. Returns a function that ends the span. */
  traceRequest(request: TracedRequest, next: () => void): (end: RequestEnd) => void;
  /** Sends what is still buffered. */
  close(): Promise<void>;
}

export interface TracedRequest {
  readonly method: string;
  /** The pattern, such as `/v1/:organization/tool/`. */
  readonly route: string;
  readonly headers: IncomingHttpHeaders;
}

export interface RequestEnd {
  readonly status: number;
  readonly organization: string | undefined;
}
