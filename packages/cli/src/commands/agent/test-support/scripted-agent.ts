import type { AgentEvent, AgentListener, PromptPart, StartedAgent, TurnOutcome } from "@haft/agent";
import type { ToolResult } from "@haft/contract";
import { type AskRequest, type Host, headlessHost, parseRule, type Session } from "@haft/core";
import type { AgentWorkspace } from "../../../agents/open-agents.ts";

/** What an agent is to do with a prompt. */
export interface ScriptedTurn {
  readonly text: string;
  readonly signal: AbortSignal;
  readonly host: Host;
  emit(event: AgentEvent): void;
}

/** Plays a turn; what it returns is different from a turn that ended well. */
export type Script = (turn: ScriptedTurn) => Promise<Partial<TurnOutcome>> | Partial<TurnOutcome>;

/** Agents that do as a test says, and what was done with them. */
export interface ScriptedSource extends AgentWorkspace {
  /** Everything that happened, in words. */
  readonly log: string[];
}

const usage = { input_tokens: 10, output_tokens: 5, cached_tokens: 2, cost: 0.25 };

/** What an agent says and does, as it comes from the loop. */
export function createScriptedSource(script: Script, host: Host = headlessHost): ScriptedSource {
  const log: string[] = [];
  let started = 0;
  return {
    log,
    root: "/workspace",
    host,
    threads: { list: () => [] },
    entries: () =>
      ["First", "Second"].map((text, index) => ({
        at: 2 * index + 1,
        time: 1_000 * (index + 1),
        entry: { kind: "user", content: [{ type: "text", text }] },
      })),
    calls: async () =>
      [2_500, 1_500].map((at) => ({
        ...{ id: `call-${at}`, callId: "c1", at, isUndo: false, paths: ["/workspace/a"] },
        changes: () => [],
      })),
    fork: (session, upTo) => ({ name: `${session}-${upTo}`, id: `id-${upTo}` }),
    manifests: {
      list: () =>
        ["build", "plan"].map((name) => ({
          name,
          description: `It is ${name}.`,
          mode: "primary",
          prompt: "",
          isInspectable: true,
          isTool: false,
          origin: "shipped",
        })),
    },
    listSkills: () => [{ name: "release", description: "How to release." }],
    start: async (start) => {
      const session = start.session ?? `s${++started}`;
      log.push(`start ${session} ${JSON.stringify({ ...start, host: undefined })}`);
      const agent = createScriptedAgent(script, { session, host: start.host ?? host, log });
      agent.become(start.agent ?? "build");
      return agent;
    },
    close: async () => {
      log.push("close all");
    },
  };
}

interface ScriptedAgentOptions {
  readonly session: string;
  readonly host: Host;
  readonly log: string[];
}

// What the terminal uses of an agent.
type ScriptedAgent = Pick<StartedAgent, "model" | "become" | "prompt" | "close"> & {
  readonly session: Pick<Session, "name" | "call">;
  readonly manifest: Pick<StartedAgent["manifest"], "name">;
};

/** An agent that does as a test says. */
function createScriptedAgent(
  script: Script,
  { session, host, log }: ScriptedAgentOptions,
): StartedAgent {
  let name = "build";
  const agent: ScriptedAgent = {
    model: "scripted/model",
    get manifest() {
      return { name };
    },
    become: (next) => {
      if (next !== "build" && next !== "plan") throw new TypeError(`There is no agent ${next}.`);
      name = next;
    },
    session: {
      name: session,
      call: async (request) => {
        log.push(`call ${request.name}`);
        const answer = await host.ask(toRequest(request.id ?? "", "undo_edit"));
        return toResult({ message: `Undone (${answer.answer}).` });
      },
    },
    prompt: async (prompt, { signal = new AbortController().signal, onEvent } = {}) => {
      const text = typeof prompt === "string" ? prompt : prompt.map(textOf).join("|");
      log.push(`prompt ${text}`);
      return play(script, { text, signal, host, emit: onEvent ?? (() => {}) }, session);
    },
    close: async () => {
      log.push(`close ${session}`);
    },
  };
  return agent as StartedAgent;
}

async function play(script: Script, turn: ScriptedTurn, session: string): Promise<TurnOutcome> {
  const emit: AgentListener = turn.emit;
  let text = "";
  const hear: AgentListener = (event) => {
    if (event.type === "text") text += event.text;
    emit(event);
  };
  emit({ type: "turn-start", session, thread: `w/${session}`, agent: "build", model: "m" });
  emit({ type: "step-start", step: 1, tools: 3 });
  const given = await script({ ...turn, emit: hear });
  const outcome: TurnOutcome = { reason: "end", text, steps: 1, usage, ...given };
  emit({ type: "turn-end", ...outcome });
  return outcome;
}

/** A result that holds some data. */
export function toResult(data: unknown): ToolResult {
  return { type: "output", data, metadata: { duration_ms: 1 } };
}

/** A call that waits for a person's word. */
export function toRequest(callId: string, tool: string, signal?: AbortSignal): AskRequest {
  return {
    session: "s",
    callId,
    name: tool,
    tool,
    arguments: { command: "make it" },
    reason: "no rule allows it",
    rules: [parseRule(`${tool} make it allow`)],
    wouldAllow: async () => ({ calls: 0, count: 0, examples: [] }),
    toWaiting: () => ({ call: undefined, dialect: "portable", shown: "", files: [] }),
    signal: signal ?? new AbortController().signal,
  };
}

function textOf(part: PromptPart): string {
  return part.type === "text" ? part.text : part.mediaType;
}
