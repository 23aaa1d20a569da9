import type { CallRecord } from "@haft/core";
import type { AgentEvent, AgentListener, TurnOutcome } from "../loop/agent-event.ts";
import { toEntryText } from "./entry-text.ts";
import { createRecordedCalls } from "./recorded-calls.ts";
import { createReplayedStep, type ReplayedStep } from "./replayed-step.ts";
import type { StoredEntry, ThreadEntry, ThreadFacts } from "./thread.ts";

/** What to replay. */
export interface ReplayedThread {
  readonly facts: Pick<ThreadFacts, "id" | "name">;
  readonly entries: Iterable<StoredEntry>;
  /** Recorded calls of the thread's session, in the order in which they ended. */
  readonly calls: Iterable<CallRecord>;
}

/**
 * Emits the events of a thread again, with the recorded results in the order of their calls.
 * No model is called and nothing is changed.
 */
export function replayThread(thread: ReplayedThread, onEvent: AgentListener): void {
  for (const event of replayEvents(thread)) onEvent(event);
}

type AssistantEntry = ThreadEntry & { readonly kind: "assistant" };

interface ReplayedTurn extends Pick<TurnOutcome, "text" | "steps" | "usage"> {
  readonly agent: string;
}

function* replayEvents({ facts, entries, calls }: ReplayedThread): Generator<AgentEvent> {
  const recorded = createRecordedCalls(calls);
  let turn: ReplayedTurn | undefined;
  let step: ReplayedStep | undefined;
  // The first answer names the agent and model: events before it have to wait.
  let early: AgentEvent[] = [];
  let summable = 0;

  function* begin(agent: string, model: string): Generator<AgentEvent, ReplayedTurn> {
    yield { type: "turn-start", session: facts.name, thread: facts.id, agent, model };
    yield* early;
    early = [];
    return { agent, text: "", steps: 0, usage: noUsage };
  }
  function* answer(entry: AssistantEntry): Generator<AgentEvent> {
    const { agent, model } = entry;
    turn ??= yield* begin(agent, model);
    if (agent !== turn.agent) yield { type: "agent", agent, model };
    step = createReplayedStep(entry, turn.steps + 1, recorded);
    yield* step.begin();
    const said = toEntryText(entry);
    turn = {
      agent,
      text: said.trim() === "" ? turn.text : said,
      steps: turn.steps + 1,
      usage: addUsage(turn.usage, entry.usage ?? noUsage),
    };
  }

  for (const { entry } of entries) {
    if (entry.kind === "result") {
      step?.take(entry);
      continue;
    }
    if (step !== undefined) yield* step.end();
    step = undefined;
    if (entry.kind === "user") turn = undefined;
    if (entry.kind === "assistant") yield* answer(entry);
    if (entry.kind === "turn-end") {
      const { text, steps, usage } = turn ?? (yield* begin("", ""));
      const error = entry.error === undefined ? {} : { error: entry.error };
      yield { type: "turn-end", reason: entry.reason, text, steps, usage, ...error };
      turn = undefined;
    }
    if (entry.kind === "notice" || entry.kind === "summary") {
      const event = toEvent(entry, summable);
      if (turn === undefined) early.push(event);
      else yield event;
    }
    summable = entry.kind === "summary" ? 0 : summable + 1;
  }
  if (step !== undefined) yield* step.end();
}

function toEvent(
  entry: ThreadEntry & { readonly kind: "notice" | "summary" },
  entries: number,
): AgentEvent {
  return entry.kind === "notice"
    ? { type: "notice", text: entry.text }
    : { type: "compaction", entries, summary: entry.text };
}

const noUsage: TurnOutcome["usage"] = { input_tokens: 0, output_tokens: 0, cached_tokens: 0 };

function addUsage(a: TurnOutcome["usage"], b: TurnOutcome["usage"]): TurnOutcome["usage"] {
  const hasCost = a.cost !== undefined || b.cost !== undefined;
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cached_tokens: a.cached_tokens + b.cached_tokens,
    ...(hasCost && { cost: (a.cost ?? 0) + (b.cost ?? 0) }),
  };
}
