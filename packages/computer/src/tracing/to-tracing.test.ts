import { AsyncLocalStorage } from "node:async_hooks";
import { defineTool, type Tool } from "@haft/contract";
import { createRegistry, createSession, type Session } from "@haft/core";
import {
  type Context,
  type ContextManager,
  context,
  ROOT_CONTEXT,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { createMemoryComputer } from "../memory/index.ts";
import { toTracing } from "./to-tracing.ts";

describe("toTracing", () => {
  it("puts calls below the application's span, and the application's spans below the call", async () => {
    registerContextManager();
    const { tracer, find } = openTracer();
    const session = openSession(tracer, async () => {
      await Promise.resolve();
      tracer.startSpan("query").end();
      return "done";
    });
    await tracer.startActiveSpan("request", async (span) => {
      await session.call({ name: "work" });
      span.end();
    });
    expect(parentOf(find("request"))).toBeUndefined();
    expect(parentOf(find("execute_tool work"))).toBe(find("request").spanContext().spanId);
    expect(parentOf(find("query"))).toBe(find("execute_tool work").spanContext().spanId);
  });

  it("knows the call that a call is made in, where the application has no context manager", async () => {
    const { tracer, find, all } = openTracer();
    const inner = openSession(tracer, async () => "done", "inner");
    const outer = openSession(tracer, async () => {
      await Promise.resolve();
      return (await inner.call({ name: "inner" })).type;
    });
    await Promise.all([outer.call({ name: "work" }), outer.call({ name: "nothing" })]);
    expect(parentOf(find("execute_tool inner"))).toBe(
      find("execute_tool work").spanContext().spanId,
    );
    expect(new Set(all().map((span) => span.spanContext().traceId)).size).toBe(2);
  });

  it("starts a trace where a parent from elsewhere is not valid", () => {
    const { tracer, all } = openTracer();
    const tracing = toTracing(tracer);
    const id = "4bf92f3577b34da6a3ce929d0e0e4736";
    const carriers = [
      `00-${id}-00f067aa0ba902b7-01`,
      `00-${id}-00f067aa0ba902b7-01-later`,
      `00-${id}-0000000000000000-01`,
      `ff-${id}-00f067aa0ba902b7-01`,
      `00-${id}-00f067aa0ba902b7-01x`,
      `00-${id.toUpperCase()}-00f067aa0ba902b7-01`,
      "",
    ];
    for (const traceparent of carriers) tracing.startSpan("a", { parent: { traceparent } }).end();
    expect(all().map((span) => span.spanContext().traceId === id)).toEqual([
      ...[true, true],
      ...[false, false, false, false, false],
    ]);
  });
});

function openTracer(): {
  readonly tracer: Tracer;
  all(): ReadableSpan[];
  find(name: string): ReadableSpan;
} {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const all = (): ReadableSpan[] => exporter.getFinishedSpans();
  return {
    tracer: provider.getTracer("test"),
    all,
    find: (name) => all().find((span) => span.name === name) as ReadableSpan,
  };
}

function openSession(tracer: Tracer, execute: () => Promise<string>, id = "work"): Session {
  const tool = defineTool({
    id,
    description: "Works.",
    parameters: { type: "object", properties: {} },
    requires: {},
    kind: "read",
    execute,
  }) as Tool;
  const session = createSession({
    registry: createRegistry([tool]),
    computer: createMemoryComputer(),
    tracing: toTracing(tracer),
    watchdog: "off",
    rules: [{ permission: "*", pattern: "*", action: "allow" }],
  });
  onTestFinished(() => session.close());
  return session;
}

function parentOf(span: ReadableSpan): string | undefined {
  return span.parentSpanContext?.spanId;
}

/** Does what the SDK of an application registers. */
function registerContextManager(): void {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (own, ...[work, self, ...args]) =>
      storage.run(own, () => work.call(self as never, ...args)),
    bind: (_own, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  context.setGlobalContextManager(manager);
  onTestFinished(() => {
    context.disable();
    trace.disable();
  });
}
