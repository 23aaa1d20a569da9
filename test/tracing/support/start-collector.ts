import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** A span as a collector got it. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** The span that it belongs to, whichever process sent that. */
  readonly parentSpanId?: string;
  /** 1: internal, 2: server, 3: client. */
  readonly kind: number;
  /** 2: failed. */
  readonly status: { readonly code: number };
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A collector on this machine, which goes when the test ends. */
export interface Collector {
  readonly url: string;
  /** The variables that have `haft` send its spans here. */
  readonly environment: Readonly<Record<string, string>>;
  /** Everything that came, as it came. */
  payload(): string;
  spans(): readonly ReceivedSpan[];
  /** The only span of this name. */
  span(name: string): ReceivedSpan;
}

/** Starts a collector that decodes OTLP in JSON. */
export async function startCollector(): Promise<Collector> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(await text(request));
    response.setHeader("content-type", "application/json").end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const spans = (): readonly ReceivedSpan[] => bodies.flatMap(decode);
  return {
    url,
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: url },
    payload: () => bodies.join("\n"),
    spans,
    span: (name) => {
      const found = spans().filter((span) => span.name === name);
      const names = spans().map((span) => span.name);
      if (found.length !== 1) throw new Error(`${found.length} of ${name} in ${names.join(", ")}`);
      return found[0] as ReceivedSpan;
    },
  };
}

type Value = Readonly<Record<string, unknown>> & {
  readonly arrayValue?: { readonly values: readonly Value[] };
};

interface SentSpan extends Omit<ReceivedSpan, "attributes"> {
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
}

function decode(body: string): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(body) as {
    resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[];
  };
  const sent = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  return sent.map(({ attributes, ...span }) => ({
    ...span,
    attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, toPlain(value)])),
  }));
}

function toPlain(value: Value): unknown {
  return value.arrayValue?.values.map(toPlain) ?? Object.values(value)[0];
}
