import type { ToolResult } from "@haft/contract";
import type { CallRecord } from "@haft/core";
import type { AgentEvent } from "../loop/agent-event.ts";
import { toOutputText } from "./describe-entry.ts";
import { callsOf } from "./entry-calls.ts";
import type { RecordedCalls } from "./recorded-calls.ts";
import type { ThreadEntry } from "./thread.ts";

type AssistantEntry = ThreadEntry & { readonly kind: "assistant" };
type ResultEntry = ThreadEntry & { readonly kind: "result" };

/** A replayed answer of the model. */
export interface ReplayedStep {
  /** Emits the answer and its calls. */
  begin(): Iterable<AgentEvent>;
  /** Adds a stored result of one of the calls. */
  take(entry: ResultEntry): void;
  /** Emits the recorded results in the order of the calls. */
  end(): Iterable<AgentEvent>;
}

/** Starts to replay an answer. */
export function createReplayedStep(
  entry: AssistantEntry,
  step: number,
  recorded: RecordedCalls,
): ReplayedStep {
  const calls = callsOf(entry).map((call) => ({ ...call, record: recorded.take(call.callId) }));
  const stored = new Map<string, ResultEntry>();
  return {
    begin: function* () {
      // The number of tools was not stored.
      yield { type: "step-start", step, tools: 0 };
      for (const part of entry.content) {
        if (part.type === "text" || part.type === "reasoning") {
          yield { type: part.type, text: part.text };
        }
      }
      const finish_reason = calls.length > 0 ? "tool-calls" : "stop";
      const usage = entry.usage ?? { input_tokens: 0, output_tokens: 0, cached_tokens: 0 };
      yield { type: "step-end", step, finish_reason, usage };
      for (const { callId: id, name, input, record } of calls) {
        const tool = record?.tool === undefined ? {} : { tool: record.tool };
        yield { type: "tool-call", id, name: record?.name ?? name, ...tool, arguments: input };
      }
    },
    take: (result) => {
      stored.set(result.callId, result);
    },
    end: function* () {
      for (const { callId: id, name, record } of calls) {
        const result = resultOf(record, stored.get(id));
        if (result !== undefined) {
          yield { type: "tool-result", id, name: record?.name ?? name, result };
        }
      }
    },
  };
}

// A call that was refused before it started has no record; only what the model saw is known.
function resultOf(
  record: CallRecord | undefined,
  entry: ResultEntry | undefined,
): ToolResult | undefined {
  if (record !== undefined) return record.result;
  if (entry === undefined) return undefined;
  const text = toOutputText(entry.output);
  const metadata = { duration_ms: 0 };
  return entry.output.type === "error-text"
    ? { type: "error", error_text: text, metadata: { ...metadata, error_code: "failed" } }
    : { type: "output", data: text, metadata };
}
