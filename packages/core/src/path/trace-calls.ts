import type { ToolResult } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import type { SessionTracing } from "../tracing/session-tracing.ts";
import type { TraceSpan } from "../tracing/tracing.ts";
import type { Call } from "./call.ts";
import type { CallContext } from "./context.ts";
import { runCall } from "./run-call.ts";

/**
 * Returns a `runCall` that makes a span of each call, named and described by the GenAI semantic
 * conventions of OpenTelemetry. The span is active while the call runs, so what the tool starts is below it.
 */
export function traceCalls(tracing: SessionTracing): typeof runCall {
  const spans = new WeakMap<Call, TraceSpan>();

  const start = (call: Call, context: CallContext): TraceSpan => {
    const [known] = context.registry.names(context.dialect).get(call.name) ?? [];
    const span = tracing.startSpan(toName(known?.tool.id), {
      // A program's call arrives over a pipe, where the span of the program is not active.
      parent: call.within && spans.get(call.within),
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": call.id,
        "gen_ai.conversation.id": context.storage.id,
        ...(known !== undefined && { "gen_ai.tool.name": known.tool.id }),
      },
    });
    spans.set(call, span);
    return span;
  };

  const end = (span: TraceSpan, call: Call, result: ToolResult): void => {
    // Unknown until now if the name was a synonym. A name that no tool has is left out: it may be anything.
    const tool = call.tool?.id;
    span.rename(toName(tool));
    if (tool !== undefined) span.setAttributes({ "gen_ai.tool.name": tool });
    // As they were sent: later a tool's arguments contain the secrets that placeholders stand for.
    const sent = tracing.toContent(call.sent);
    if (sent !== undefined) span.setAttributes({ "gen_ai.tool.call.arguments": sent });
    if (result.type === "output") {
      const data = tracing.toContent(result.data);
      if (data !== undefined) span.setAttributes({ "gen_ai.tool.call.result": data });
      span.end();
    } else {
      span.end(result.metadata.error_code);
    }
  };

  return async (call, context) => {
    const warn = (error: unknown): void =>
      context.events.warn(`The call ${call.id} could not be traced: ${toErrorMessage(error)}`);
    let span: TraceSpan | undefined;
    let running: Promise<ToolResult> | undefined;
    const run = (): Promise<ToolResult> => {
      running ??= runCall(call, context);
      return running;
    };
    try {
      span = start(call, context);
      void span.run(run);
    } catch (error) {
      warn(error);
    }
    const result = await run();
    try {
      if (span !== undefined) end(span, call, result);
    } catch (error) {
      warn(error);
    }
    return result;
  };
}

function toName(tool: string | undefined): string {
  return tool === undefined ? "execute_tool" : `execute_tool ${tool}`;
}
