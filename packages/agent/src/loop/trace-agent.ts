import type { SessionTracing, TraceAttributes, TraceSpan } from "@haft/core";
import type { OpenModel } from "../models/open-model.ts";
import type { AgentListener, TurnOutcome } from "./agent-event.ts";
import type { ModelAnswer } from "./model-answer.ts";
import type { PromptPart } from "./prompt-part.ts";

/** A turn, for its span. */
export interface TracedTurn {
  /** ID of the thread. */
  readonly thread: string;
  readonly prompt: readonly PromptPart[];
  readonly emit: AgentListener;
}

/**
 * Runs a turn inside a span that is named and described by the GenAI semantic conventions of OpenTelemetry.
 * `run` gets the listener to report events to.
 */
export async function traceTurn(
  tracing: SessionTracing | undefined,
  { thread, prompt, emit }: TracedTurn,
  run: (emit: AgentListener) => Promise<TurnOutcome>,
): Promise<TurnOutcome> {
  if (tracing === undefined) return run(emit);
  const said = prompt.flatMap((part) => (part.type === "text" ? [toTextPart(part.text)] : []));
  const input = tracing.toContent([{ role: "user", parts: said }]);
  const span = tracing.startSpan("invoke_agent", {
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.conversation.id": thread,
      ...(input !== undefined && { "gen_ai.input.messages": input }),
    },
  });
  const outcome = await span.run(() =>
    run((event) => {
      if (event.type === "turn-start") {
        span.rename(`invoke_agent ${event.agent}`);
        span.setAttributes({ "gen_ai.agent.name": event.agent, ...toModel(event.model) });
      }
      return emit(event);
    }),
  );
  const { reason, text, usage } = outcome;
  const output = tracing.toContent([{ role: "assistant", parts: [toTextPart(text)] }]);
  span.setAttributes({
    "gen_ai.usage.input_tokens": usage.input_tokens,
    "gen_ai.usage.output_tokens": usage.output_tokens,
    "gen_ai.usage.cache_read.input_tokens": usage.cached_tokens,
    ...(output !== undefined && { "gen_ai.output.messages": output }),
  });
  span.end(reason === "end" ? undefined : reason);
  return outcome;
}

/** A request to a model, for its span. */
export interface TracedRequest<End> {
  readonly model: OpenModel;
  /** Makes the request, with its retries. */
  ask(): Promise<End>;
  /** Returns the answer, or why there is none, in a word. */
  read(end: End): Answer | string;
}

type Answer = Pick<ModelAnswer, "text" | "calls" | "finishReason" | "usage">;

/** Makes a request to a model inside a span. */
export async function traceRequest<End>(
  tracing: SessionTracing | undefined,
  { model, ask, read }: TracedRequest<End>,
): Promise<End> {
  if (tracing === undefined) return ask();
  const span = startChat(tracing, model);
  try {
    const end = await span.run(ask);
    const answer = read(end);
    if (typeof answer === "string") {
      span.end(answer);
    } else {
      const output = tracing.toContent([toMessage(answer)]);
      span.setAttributes({
        ...toAttributes(answer),
        ...(output !== undefined && { "gen_ai.output.messages": output }),
      });
      span.end();
    }
    return end;
  } catch (error) {
    span.end("_OTHER");
    throw error;
  }
}

function startChat(tracing: SessionTracing, { name, outputTokens }: OpenModel): TraceSpan {
  const model = toModel(name);
  return tracing.startSpan(`chat ${model["gen_ai.request.model"]}`, {
    kind: "client",
    attributes: {
      "gen_ai.operation.name": "chat",
      ...model,
      ...(outputTokens !== undefined && { "gen_ai.request.max_tokens": outputTokens }),
    },
  });
}

// The conventions have names of their own for some providers.
const providerNames: ReadonlyMap<string, string> = new Map([["google", "gcp.gemini"]]);

function toModel(name: string): Record<"gen_ai.provider.name" | "gen_ai.request.model", string> {
  const [provider = "", ...rest] = name.split("/");
  return {
    "gen_ai.provider.name": providerNames.get(provider) ?? provider,
    "gen_ai.request.model": rest.join("/") || name,
  };
}

// What the provider does not report is left out: no estimates.
function toAttributes({ finishReason, usage }: Answer): TraceAttributes {
  const counts = {
    "gen_ai.usage.input_tokens": usage?.inputTokens,
    "gen_ai.usage.output_tokens": usage?.outputTokens,
    "gen_ai.usage.cache_read.input_tokens": usage?.inputTokenDetails?.cacheReadTokens,
    "gen_ai.usage.cache_creation.input_tokens": usage?.inputTokenDetails?.cacheWriteTokens,
    "gen_ai.usage.reasoning.output_tokens": usage?.outputTokenDetails?.reasoningTokens,
  };
  const known = Object.entries(counts).filter(
    (entry): entry is [string, number] => entry[1] !== undefined,
  );
  return { ...Object.fromEntries(known), "gen_ai.response.finish_reasons": [finishReason] };
}

function toMessage({ text, calls, finishReason }: Answer): object {
  const called = calls.map(({ id, name, input }) => ({
    type: "tool_call",
    id,
    name,
    arguments: input,
  }));
  const parts = [...(text === "" ? [] : [toTextPart(text)]), ...called];
  return { role: "assistant", parts, finish_reason: finishReason };
}

function toTextPart(content: string): object {
  return { type: "text", content };
}
