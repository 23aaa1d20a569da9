import { tokensOfText, untilAborted } from "@haft/core/internal";
import type { OpenModel } from "../models/open-model.ts";
import type { AgentRole } from "./agent.ts";
import type { AgentListener, Usage } from "./agent-event.ts";
import { defaultRetries } from "./agent-limits.ts";
import type { AgentState } from "./agent-state.ts";
import type { AnswerListener } from "./answer-collector.ts";
import { askModel } from "./ask-model.ts";
import { fitContext } from "./fit-context.ts";
import type { ModelAnswer } from "./model-answer.ts";
import type { ModelTools } from "./model-tools.ts";
import { askWithRetries, type ModelFailure, type RetryEnd } from "./retry.ts";
import { tokensOfContent } from "./token-estimate.ts";
import { traceRequest } from "./trace-agent.ts";
import type { TurnStop } from "./turn-limits.ts";
import { toUsage } from "./usage.ts";

/** What a step needs from its turn. */
export interface StepContext {
  readonly state: AgentState;
  readonly role: AgentRole;
  /** From 1 on. */
  readonly step: number;
  readonly signal: AbortSignal;
  readonly emit: AgentListener;
  readonly warn: (message: string) => void;
}

/** The outcome of a step. */
export type StepEnd =
  | {
      readonly type: "answer";
      readonly answer: ModelAnswer;
      readonly tools: ModelTools;
      readonly usage: Usage;
    }
  /** The partial text is kept. */
  | ({ readonly type: "stop"; readonly text?: string } & TurnStop);

/** Sends one request and stores the answer. Its calls have not been run yet. */
export async function runStep(context: StepContext): Promise<StepEnd> {
  const { state, role, step, emit } = context;
  const { budget, conversation } = state;
  const tools = state.tools(role.model.form, role.model.model);
  const fixedTokens = tokensOfText(role.instructions) + tools.tokens;
  await makeRoom(context, fixedTokens);
  emit({ type: "step-start", step, tools: tools.count });
  const end = await traceRequest(state.options.session.tracing, {
    model: role.model,
    ask: () => ask(context, tools, fixedTokens),
    read: readEnd,
  });
  if (end.type === "aborted") return stopStep(end.text, context);
  if (end.type === "failed") return failStep(end.failure, context);
  const { answer } = end;
  const sent = fixedTokens + conversation.tokens;
  budget.learn(sent, answer.usage?.inputTokens);
  const usage = toUsage(
    answer.usage,
    { input: Math.round(budget.correct(sent)), output: tokensOfContent(answer.parts) },
    role.model.price,
  );
  if (hasSubstance(answer)) {
    const { name: agent, model } = role;
    state.append({ kind: "assistant", content: answer.parts, agent, model: model.name, usage });
  }
  return { type: "answer", answer, tools, usage };
}

/** Tells whether an answer contains text or calls. */
export function hasSubstance({ text, calls, parts }: ModelAnswer): boolean {
  return text.trim() !== "" || calls.length > 0 || parts.some(({ type }) => type === "file");
}

function readEnd(end: RetryEnd): ModelAnswer | string {
  if (end.type === "answer") return end.answer;
  return end.type === "failed" ? (end.failure.type ?? "_OTHER") : end.type;
}

function ask(context: StepContext, tools: ModelTools, fixedTokens: number): Promise<RetryEnd> {
  const { state, role, signal, emit } = context;
  const { options, budget, conversation } = state;
  const listener: AnswerListener = {
    text: (text) => emit({ type: role.isAside === true ? "reasoning" : "text", text }),
    reasoning: (text) => emit({ type: "reasoning", text }),
  };
  const claimId = state.ids.claim;
  return askWithRetries(() => askModel({ role, tools, conversation, signal, listener, claimId }), {
    signal,
    retries: options.limits?.retries ?? defaultRetries,
    wait: options.wait?.bind(options),
    describe: (error) => describe(error, role.model),
    onRetry: (attempt, delay_ms, reason) => emit({ type: "retry", attempt, delay_ms, reason }),
    shrink: async () => {
      const before = conversation.tokens;
      budget.refused(role.model, fixedTokens + before);
      await makeRoom(context, fixedTokens);
      return conversation.tokens < before;
    },
  });
}

function makeRoom(
  { state, role, signal, emit, warn }: StepContext,
  fixedTokens: number,
): Promise<void> {
  const { conversation, budget, options, append } = state;
  const summarize = options.summarize?.bind(options);
  return fitContext({
    model: role.model,
    fixedTokens,
    conversation,
    budget,
    // The summarizer may ignore the signal.
    summarize: summarize && ((text, stop) => untilAborted({ signal: stop }, summarize(text, stop))),
    signal,
    emit,
    append,
    warn: (message) => {
      if (!state.warned.has(message)) warn(message);
      state.warned.add(message);
    },
  });
}

// The text is kept. Its calls were not run, and incomplete parts can't be sent back to the model.
function stopStep(text: string, { state, role }: StepContext): StepEnd {
  if (text.trim() !== "") {
    state.append({
      kind: "assistant",
      content: [{ type: "text", text }],
      agent: role.name,
      model: role.model.name,
    });
  }
  return { type: "stop", reason: "aborted", text };
}

// A file that the provider does not accept would make it refuse every later request too.
function failStep(
  { message: error, isRetryable }: ModelFailure,
  { state, warn }: StepContext,
): StepEnd {
  if (!isRetryable && state.conversation.dropFiles()) {
    warn(
      "Images and other files of this thread are no longer sent, because they may be the cause.",
    );
  }
  return { type: "stop", reason: "error", error };
}

// Loaded on first use: the providers' error classes are large and rarely needed.
async function describe(error: unknown, { name, keyVariable }: OpenModel): Promise<ModelFailure> {
  const [{ describeModelError }, { readFailure }] = await Promise.all([
    import("../models/describe-model-error.ts"),
    import("../models/read-failure.ts"),
  ]);
  const { status, kind } = readFailure(error);
  const type = String(status ?? kind);
  return { ...describeModelError(error, name, { keyVariable }), type };
}
