import type { IncomingHttpHeaders } from "node:http";

/** What is known about a piece of work; never a secret. */
export type TraceAttributes = Readonly<Record<string, string | number | boolean>>;

/** Does a piece of work and has traces show it, under the request or the work that it belongs to. */
export type Trace = <Result>(
  name: string,
  attributes: TraceAttributes,
  work: () => Promise<Result>,
) => Promise<Result>;

/** Sends traces and metrics to a collector. */
export interface Telemetry {
  readonly trace: Trace;
  /** Goes on with a request inside a span of its own; what comes back ends the span. */
  traceRequest(request: TracedRequest, goOn: () => void): (end: RequestEnd) => void;
  /** Sends what has not been sent yet. */
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
