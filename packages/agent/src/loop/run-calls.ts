import { type AiSdkModelOutput, toAiSdkOutput } from "@haft/connect/ai-sdk";
import type { JsonValue, ToolResult } from "@haft/contract";
import { type CallOutcome, type Session, untilAborted } from "@haft/core";
import type { ThreadEntry } from "../threads/thread.ts";
import type { AgentOptions } from "./agent.ts";
import type { AgentListener } from "./agent-event.ts";
import type { ModelCall } from "./model-answer.ts";
import type { ModelTools } from "./model-tools.ts";

/** Where the calls of an answer are made. */
export interface CallSite {
  readonly session: Session;
  readonly tools: ModelTools;
  readonly signal: AbortSignal;
  readonly emit: AgentListener;
  /** Whether anybody hears what is emitted. */
  readonly isHeard: boolean;
  readonly remark: AgentOptions["remark"];
  append(entry: ThreadEntry): void;
}

const mostCalls = 1000;

/** Makes all calls of an answer at once and stores each result as it comes; the results in call order. */
export async function runCalls(
  calls: readonly ModelCall[],
  site: CallSite,
): Promise<AiSdkModelOutput[]> {
  const { session, tools, signal, emit } = site;
  const byId = new Map(calls.map((call) => [call.id, call]));
  const requests = calls.map(({ id, name, input }) => ({
    id,
    name: tools.nameOf(name),
    arguments: input as string | JsonValue,
  }));
  for (const { id, name, arguments: sent } of requests) {
    const found = tools.find(name);
    const known = found === undefined ? {} : { tool: found.tool, kind: found.kind };
    emit({ type: "tool-call", id, name, ...known, arguments: sent });
  }
  const outputs = new Map<string, AiSdkModelOutput>();
  const settle = async (outcome: CallOutcome): Promise<void> => {
    const remark = await findRemark(outcome, site);
    const output = addRemark(toAiSdkOutput(outcome.result), remark);
    outputs.set(outcome.id, output);
    site.append({
      kind: "result",
      callId: outcome.id,
      name: byId.get(outcome.id)?.name ?? outcome.name,
      output,
      ...(outcome.result.metadata.persistence === "ephemeral" && { isEphemeral: true }),
    });
    const { id, name, result } = outcome;
    const remarks = remark === undefined ? {} : { remarks: [remark] };
    emit({ type: "tool-result", id, name, result, ...remarks });
  };
  const settling: Promise<void>[] = [];
  const stopListening = listen(site, byId);
  try {
    await session.batch(requests.slice(0, mostCalls), {
      signal,
      onResult: (outcome) => {
        settling.push(settle(outcome));
      },
    });
    for (const { id, name } of requests.slice(mostCalls)) {
      settling.push(settle({ id, name, result: refuseMore(calls.length) }));
    }
    await Promise.all(settling);
  } finally {
    stopListening();
    // What failed is told by the first; the others may not go unheard.
    await Promise.allSettled(settling);
  }
  return calls.flatMap(({ id }) => outputs.get(id) ?? []);
}

function listen(
  { session, emit, isHeard }: CallSite,
  calls: ReadonlyMap<string, ModelCall>,
): () => void {
  if (!isHeard) return () => undefined;
  const stops = [
    session.on("tool:state", ({ callId: id, state }) => {
      if (calls.has(id)) emit({ type: "tool-state", id, state });
    }),
    session.on("tool:progress", ({ callId: id, progress }) => {
      if (calls.has(id)) emit({ type: "tool-progress", id, progress });
    }),
  ];
  return () => {
    for (const stop of stops) void stop();
  };
}

async function findRemark(
  outcome: CallOutcome,
  { remark, signal }: CallSite,
): Promise<string | undefined> {
  if (remark === undefined || signal.aborted) return undefined;
  try {
    const text = await untilAborted({ signal }, remark(outcome, signal));
    return text?.trim() === "" ? undefined : text;
  } catch {
    // It is said beside the result, and is no reason to lose that.
    return undefined;
  }
}

function addRemark(output: AiSdkModelOutput, remark: string | undefined): AiSdkModelOutput {
  if (remark === undefined) return output;
  if (output.type === "content") {
    return { ...output, value: [...output.value, { type: "text", text: remark }] };
  }
  return { ...output, value: `${output.value}\n\n${remark}` };
}

function refuseMore(count: number): ToolResult {
  return {
    type: "error",
    error_text: `Of ${count} calls at once only the first ${mostCalls} were made, and this was not one of them. Make fewer at a time.`,
    metadata: { duration_ms: 0, error_code: "quota" },
  };
}
