import type { ToolResult } from "@haft/contract";
import type { CallRecord } from "@haft/core";
import type { AgentEvent } from "../loop/agent-event.ts";
import { toOutputText } from "./describe-entry.ts";
import { callsOf } from "./entry-calls.ts";
import type { RecordedCalls } from "./recorded-calls.ts";
import type { ThreadEntry } from "./thread.ts";

type AssistantEntry = ThreadEntry & { readonly kind: "assistant" };
type ResultEntry = ThreadEntry & { readonly kind: "result" };

/** An answer of the model, told again. */
export interface ReplayedStep {
  /** The answer, and the calls that it asks for. */
  begin(): Iterable<AgentEvent>;
  /** A result that was stored for one of the calls. */
  take(entry: ResultEntry): void;
  /** The results as they were recorded, in the order of the calls. */
  end(): Iterable<AgentEvent>;
}

/** Tells of an answer. */
export function createReplayedStep(
  entry: AssistantEntry,
  step: number,
  recorded: RecordedCalls,
): ReplayedStep {
  const calls = callsOf(entry).map((call) => ({ ...call, record: recorded.take(call.callId) }));
  const stored = new Map<string, ResultEntry>();
  return {
    begin: function* () {
      // How many tools were shown was not stored.
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

// A call that was refused before it was one has no record; what the model saw of it is all there is.
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
