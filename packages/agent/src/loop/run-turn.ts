import { isDeepStrictEqual } from "node:util";
import type { AiSdkModelOutput } from "@haft/connect/ai-sdk";
import { toErrorMessage } from "@haft/contract/internal";
import type { HookedPrompt } from "@haft/core";
import { untilAborted } from "@haft/core/internal";
import type { AgentRole, PromptOptions } from "./agent.ts";
import type { AgentListener, TurnOutcome, Usage } from "./agent-event.ts";
import type { AgentState } from "./agent-state.ts";
import type { ModelAnswer, ModelCall } from "./model-answer.ts";
import type { PromptPart } from "./prompt-part.ts";
import { runCalls } from "./run-calls.ts";
import { hasSubstance, runStep, type StepEnd } from "./run-step.ts";
import type { TurnStop } from "./turn-limits.ts";
import { addUsage, noUsage } from "./usage.ts";

/** How to run a turn. */
export interface TurnOptions extends Pick<PromptOptions, "awaitsBackground"> {
  readonly signal: AbortSignal;
  /** Never throws. */
  readonly emit: AgentListener;
  readonly isHeard: boolean;
}

/** Runs a turn: asks the model and runs its calls until it stops. Never rejects. */
export async function runTurn(
  prompt: readonly PromptPart[],
  state: AgentState,
  options: TurnOptions,
): Promise<TurnOutcome> {
  const turn: Turn = {
    ...options,
    state,
    steps: 0,
    usage: noUsage,
    text: "",
    held: 0,
    role: undefined,
  };
  const end = storeEnd(await endOf(turn, () => takeTurn(prompt, turn)), state);
  const { reason, error } = end;
  const { text, steps, usage } = turn;
  const outcome = { reason, text, steps, usage, ...(error !== undefined && { error }) };
  turn.emit({ type: "turn-end", ...outcome });
  return outcome;
}

interface Turn extends TurnOptions {
  readonly state: AgentState;
  steps: number;
  usage: Usage;
  /** The model's last text. */
  text: string;
  /** How often hooks made the model go on. */
  held: number;
  /** The role of the last answer. */
  role: AgentRole | undefined;
}

async function endOf(turn: Turn, work: () => Promise<TurnStop>): Promise<TurnStop> {
  try {
    return await work();
  } catch (error) {
    if (turn.signal.aborted) return { reason: "aborted" };
    return { reason: "error", error: toErrorMessage(error) };
  }
}

async function takeTurn(content: readonly PromptPart[], turn: Turn): Promise<TurnStop> {
  const { state, signal } = turn;
  const { session, thread } = state.options;
  const asked = textOf(content);
  const hooked = await submitPrompt(asked, turn);
  if (hooked?.block !== undefined) return { reason: "error", error: hooked.block };
  state.meter.start();
  state.catchUp();
  state.append({ kind: "user", content });
  for (const text of hooked?.context ?? []) tell(text, turn);
  const guard = createLoopGuard();
  let wasEmpty = false;
  for (;;) {
    if (signal.aborted) return { reason: "aborted" };
    const role = await prepareRole(turn);
    if (turn.steps === 0) {
      const { name: agent, model } = role;
      const { id: threadId } = thread.facts;
      turn.emit({
        type: "turn-start",
        session: session.name,
        thread: threadId,
        agent,
        model: model.name,
      });
      state.read(model);
    }
    const reached = state.meter.findReached(turn.steps);
    if (reached !== undefined) return reached;
    tellNotices(turn);
    const end = await takeStep(role, turn);
    if (end.type === "stop") return { reason: end.reason, error: end.error };
    const { answer, tools } = end;
    if (!hasSubstance(answer)) {
      if (wasEmpty) return endEmpty(answer, turn);
      wasEmpty = true;
      continue;
    }
    wasEmpty = false;
    if (answer.calls.length === 0) {
      warnOfFinish(answer, turn);
      if ((await hasNews(turn)) || goesOn(turn) || (await isHeld(asked, turn))) continue;
      return signal.aborted ? { reason: "aborted" } : { reason: "end" };
    }
    const { append, options } = state;
    const outputs = await runCalls(answer.calls, {
      ...turn,
      session,
      tools,
      append,
      remark: options.remark?.bind(options),
    });
    const stopped = session.bounds.hooks?.takeStop();
    if (stopped !== undefined) return { reason: "error", error: stopped };
    const times = signal.aborted ? 0 : guard.count(answer.calls, outputs);
    if (times >= loopLimits.end) return endLoop(times);
    if (times === loopLimits.tell) tell(loopNotice, turn);
  }
}

async function prepareRole(turn: Turn): Promise<AgentRole> {
  const { options } = turn.state;
  options.session.startStep();
  const role = await untilAborted(turn, Promise.resolve(options.role()));
  const { name: agent, model } = role;
  if (turn.role !== undefined && turn.role.name !== agent) {
    turn.emit({ type: "agent", agent, model: model.name });
  }
  turn.role = role;
  return role;
}

async function takeStep(role: AgentRole, turn: Turn): Promise<StepEnd> {
  const { state, signal, emit } = turn;
  const step = ++turn.steps;
  const warn = (message: string): void => emit({ type: "warning", message });
  const end = await runStep({ state, role, step, signal, emit, warn });
  const said = end.type === "answer" ? end.answer.text : (end.text ?? "");
  if (said.trim() !== "" && role.isAside !== true) turn.text = said;
  if (end.type === "answer") {
    const { answer, usage } = end;
    turn.usage = addUsage(turn.usage, usage);
    state.meter.add(usage);
    emit({ type: "step-end", step, finish_reason: answer.finishReason, usage });
  }
  return end;
}

function textOf(content: readonly PromptPart[]): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function tellNotices(turn: Turn): boolean {
  const { background, session } = turn.state.options;
  const notices = [...(background?.takeNotices(session.nameTools) ?? []), ...session.takeNotices()];
  for (const text of notices) tell(text, turn);
  return notices.length > 0;
}

function tell(text: string, { state, emit }: Turn): void {
  state.append({ kind: "notice", text });
  emit({ type: "notice", text });
}

/** Waits for background work, if any, and tells whether the model must be notified of its end. */
async function hasNews(turn: Turn): Promise<boolean> {
  const { signal, awaitsBackground = true } = turn;
  const { background } = turn.state.options;
  if (background === undefined || !awaitsBackground) return false;
  while (!signal.aborted) {
    if (tellNotices(turn)) return true;
    if (background.running() === 0) return false;
    await untilAborted(turn, background.next(signal));
  }
  return false;
}

function goesOn(turn: Turn): boolean {
  const text = turn.signal.aborted ? undefined : turn.state.options.beforeEnd?.();
  if (text !== undefined) tell(text, turn);
  return text !== undefined;
}

// A hook that always blocks must not keep a turn going for ever.
const maxHeld = 8;

async function submitPrompt(prompt: string, turn: Turn): Promise<HookedPrompt | undefined> {
  const { session, modelName } = turn.state.options;
  const model = modelName?.() ?? "";
  return session.bounds.hooks?.prompt({ session: session.id, prompt, model, signal: turn.signal });
}

async function isHeld(prompt: string, turn: Turn): Promise<boolean> {
  const { signal, text, role, state, held } = turn;
  const { id: session, bounds } = state.options.session;
  if (bounds.hooks === undefined || signal.aborted || held >= maxHeld) return false;
  const model = role?.model.name ?? "";
  const about = { session, prompt, model, text, isHeld: held > 0, signal };
  const reason = await bounds.hooks.stop(about);
  if (reason === undefined) return false;
  turn.held++;
  tell(reason, turn);
  return true;
}

function endEmpty({ finishReason }: ModelAnswer, { emit }: Turn): TurnStop {
  const message = `The model gave an empty answer twice (${finishReason}). Prompt again, or use another model.`;
  emit({ type: "warning", message });
  return { reason: "end" };
}

function warnOfFinish({ finishReason }: ModelAnswer, { emit }: Turn): void {
  const message = finishWarnings.get(finishReason);
  if (message !== undefined) emit({ type: "warning", message });
}

const finishWarnings: ReadonlyMap<string, string> = new Map([
  ["length", "The answer was cut off because it was too long. Prompt again to continue."],
  ["content-filter", "The provider held back the rest of the answer."],
]);

const loopNotice =
  "You have made the same calls with the same results three times in a row. Do something else, or say what blocks you.";

function endLoop(times: number): TurnStop {
  return {
    reason: "loop",
    error: `The turn was stopped because the model made the same calls with the same results ${times} times in a row. Prompt again and say what to do instead.`,
  };
}

function storeEnd(end: TurnStop, { append }: AgentState): TurnStop {
  const { reason, error } = end;
  try {
    append({ kind: "turn-end", reason, ...(error !== undefined && { error }) });
    return end;
  } catch (failure) {
    return { reason: "error", error: error ?? toErrorMessage(failure) };
  }
}

/** Detects a model that repeats itself. */
interface LoopGuard {
  /** Counts how often in a row the same calls had the same results. */
  count(calls: readonly ModelCall[], outputs: readonly AiSdkModelOutput[]): number;
}

/** Number of repetitions after which the model is warned, and after which the turn ends. */
const loopLimits: { readonly tell: number; readonly end: number } = { tell: 3, end: 6 };

/** Creates a guard for a new turn. */
function createLoopGuard(): LoopGuard {
  let lastCalls: string | undefined;
  let lastOutputs: readonly AiSdkModelOutput[] = [];
  let times = 0;
  return {
    count: (calls, outputs) => {
      const made = JSON.stringify(calls.map(({ name, input }) => [name, input]));
      const isSame = made === lastCalls && isDeepStrictEqual(outputs, lastOutputs);
      times = isSame ? times + 1 : 1;
      lastCalls = made;
      lastOutputs = outputs;
      return times;
    },
  };
}
