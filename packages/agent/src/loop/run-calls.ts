import type { AiSdkModelOutput } from "@haft/connect/ai-sdk";
import { toAiSdkOutput } from "@haft/connect/internal/ai-sdk";
import type { JsonValue, ToolResult } from "@haft/contract";
import type { CallOutcome, Session } from "@haft/core";
import { untilAborted } from "@haft/core/internal";
import type { ThreadEntry } from "../threads/thread.ts";
import type { AgentOptions } from "./agent.ts";
import type { AgentListener } from "./agent-event.ts";
import type { ModelCall } from "./model-answer.ts";
import type { ModelTools } from "./model-tools.ts";

/** What running the calls of an answer needs. */
export interface CallSite {
  readonly session: Session;
  readonly tools: ModelTools;
  readonly signal: AbortSignal;
  readonly emit: AgentListener;
  /** Whether there is a listener for the events. */
  readonly isHeard: boolean;
  readonly remark: AgentOptions["remark"];
  append(entry: ThreadEntry): void;
}

const maxCalls = 1000;

/** Runs all calls of an answer in parallel and stores each result as it arrives. Returns the results in call order. */
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
    const output = addRemark(toAiSdkOutput(outcome.result, undefined, session.roots), remark);
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
    await session.batch(requests.slice(0, maxCalls), {
      signal,
      onResult: (outcome) => {
        settling.push(settle(outcome));
      },
    });
    for (const { id, name } of requests.slice(maxCalls)) {
      settling.push(settle({ id, name, result: refuseMore(calls.length) }));
    }
    await Promise.all(settling);
  } finally {
    stopListening();
    // The first failure is reported; the other promises must not stay unhandled.
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
    // A remark is optional: its failure must not lose the result.
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
    error_text: `Not run: only the first ${maxCalls} of ${count} calls in one step were run. Make fewer calls at a time.`,
    metadata: { duration_ms: 0, error_code: "quota" },
  };
}
