import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { defineRoute } from "../api/route.ts";
import { makeApiServer } from "../api/test-support/open-api-server.ts";
import { administrator, organization } from "../api/test-support/sample-authenticator.ts";
import { createMetrics } from "./metrics.ts";
import { openTelemetry } from "./telemetry.ts";
import type { Telemetry } from "./trace.ts";

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface ExportedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number };
}

interface ExportedMetric {
  readonly name: string;
  readonly sum?: { readonly dataPoints: readonly Record<string, unknown>[] };
  readonly gauge?: { readonly dataPoints: readonly Record<string, unknown>[] };
  readonly histogram?: { readonly dataPoints: readonly Record<string, unknown>[] };
}

describe("telemetry", () => {
  let collector: Server;
  let endpoint: string;
  const received: { path: string; type: string | undefined; body: Record<string, unknown> }[] = [];
  beforeAll(async () => {
    collector = createServer(async (request, response) => {
      const body = (await json(request)) as Record<string, unknown>;
      received.push({ path: request.url ?? "", type: request.headers["content-type"], body });
      response.setHeader("content-type", "application/json").end("{}");
    });
    collector.listen(0, "127.0.0.1");
    await once(collector, "listening");
    endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    collector.closeAllConnections();
    collector.close();
  });
  beforeEach(() => {
    received.length = 0;
  });

  it("is nothing where no collector is named", async () => {
    const options = { version: "1.2.3", metrics: createMetrics(), warn: () => {} };
    expect(await openTelemetry({}, options)).toBeUndefined();
    const disabled = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: "true" };
    expect(await openTelemetry(disabled, options)).toBeUndefined();
  });

  it("sends a span for a request, below the caller's, and spans for work inside it", async () => {
    const metrics = createMetrics();
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/` };
    const telemetry = (await openTelemetry(environment, {
      version: "1.2.3",
      metrics,
      warn: () => {},
    })) as Telemetry;
    const route = defineRoute({
      method: "GET",
      url: "/v1/:organization/work",
      operationId: "work",
      summary: "Works.",
      permission: null,
      schema: { response: { 200: null } },
      handle: () =>
        telemetry.trace("invoke", { tool: "greet" }, async () => {
          await telemetry.trace("load", {}, () => Promise.resolve());
          throw new TypeError("private");
        }),
    });
    const api = await makeApiServer({ routes: [route], telemetry, metrics });
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    await api.fastify.inject({
      url: `/v1/${organization}/work?token=private`,
      headers: {
        authorization: `Bearer ${administrator.token}`,
        traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
      },
    });
    await api.fastify.inject({ url: "/nothing", headers: { traceparent: "nonsense" } });
    metrics.recordInvocation({
      ...{ toolId: "a", version: "1.0.0", result: "succeeded", mode: "regular", seconds: 0.01 },
    });
    await api.close();
    await telemetry.close();

    const spans = received.filter(({ path }) => path === "/v1/traces").flatMap(toSpans);
    const [request, invoke, load, other] = [
      "GET /v1/:organization/work",
      "invoke",
      "load",
      "GET (none)",
    ].map((name) => spans.find((span) => span.name === name));
    expect(request).toMatchObject({
      traceId,
      parentSpanId: "00f067aa0ba902b7",
      status: { code: 2 },
    });
    expect(toRecord(request?.attributes)).toEqual({
      "http.request.method": "GET",
      "http.route": "/v1/:organization/work",
      "http.response.status_code": 500,
      "haft.organization": organization,
      "error.type": "500",
    });
    expect(invoke).toMatchObject({ traceId, parentSpanId: request?.spanId, status: { code: 2 } });
    expect(toRecord(invoke?.attributes)).toEqual({ tool: "greet", "error.type": "TypeError" });
    expect(load).toMatchObject({ traceId, parentSpanId: invoke?.spanId });
    expect(other?.traceId).toMatch(/^[\da-f]{32}$/u);
    expect(other?.traceId).not.toBe(traceId);
    expect(JSON.stringify(received)).not.toContain("private");
    expect(received.every(({ type }) => type === "application/json")).toBe(true);
    expect(JSON.stringify(received)).toContain('"service.name","value":{"stringValue":"haft"}');

    const sent = received.filter(({ path }) => path === "/v1/metrics").flatMap(toMetrics);
    const find = (name: string) => sent.find((metric) => metric.name === name);
    expect(find("haft_invocations_total")?.sum?.dataPoints[0]).toMatchObject({ asDouble: 1 });
    expect(find("haft_http_request_duration_seconds")?.histogram?.dataPoints).toHaveLength(2);
    expect(find("haft_invocation_duration_seconds")?.histogram?.dataPoints[0]).toMatchObject({
      count: 1,
      sum: 0.01,
      explicitBounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
      bucketCounts: [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    });
    expect(find("process_resident_memory_bytes")?.gauge?.dataPoints).toHaveLength(1);
  });

  it("sends only what has an address of its own", async () => {
    const environment = { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${endpoint}/my/metrics` };
    const options = { version: "1.2.3", metrics: createMetrics(), warn: () => {} };
    const telemetry = (await openTelemetry(environment, options)) as Telemetry;
    await telemetry.trace("work", {}, () => Promise.resolve());
    await telemetry.close();
    expect(new Set(received.map(({ path }) => path))).toEqual(new Set(["/my/metrics"]));
  });
});

function toSpans({ body }: { readonly body: Record<string, unknown> }): ExportedSpan[] {
  const { resourceSpans } = body as {
    resourceSpans: { scopeSpans: { spans: ExportedSpan[] }[] }[];
  };
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

function toMetrics({ body }: { readonly body: Record<string, unknown> }): ExportedMetric[] {
  const { resourceMetrics } = body as {
    resourceMetrics: { scopeMetrics: { metrics: ExportedMetric[] }[] }[];
  };
  return resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) => metrics),
  );
}

function toRecord(attributes: readonly Attribute[] = []): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
