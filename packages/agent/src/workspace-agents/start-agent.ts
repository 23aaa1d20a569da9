import { randomUUID } from "node:crypto";
import { isPlainObject } from "@haft/contract/internal";
import { type CallOutcome, headlessHost, type Session } from "@haft/core";
import type { Agent } from "../loop/agent.ts";
import type { AgentListener, TurnOutcome } from "../loop/agent-event.ts";
import type { AgentLimits } from "../loop/agent-limits.ts";
import { createAgent } from "../loop/create-agent.ts";
import { createUsageMeter } from "../loop/usage-meter.ts";
import type { AgentManifest } from "../manifests/agent-manifest.ts";
import { explainUntrusted } from "../manifests/explain-untrusted.ts";
import type { OpenModel } from "../models/open-model.ts";
import { requirePrice } from "../models/open-model-by-name.ts";
import { createExitJudge } from "../states/create-exit-judge.ts";
import type { Subagents } from "../subagents/create-subagents.ts";
import { callsOf } from "../threads/entry-calls.ts";
import type { StoredEntry } from "../threads/thread.ts";
import type { AgentSetup } from "./agent-setup.ts";
import { createBudgetCheck } from "./budgets.ts";
import type { ParentSessions } from "./parent-session.ts";
import { makeSessionName } from "./session-names.ts";
import { createSummary } from "./summarize.ts";
import { toRole } from "./to-role.ts";
import type { StartedAgent, StartOptions } from "./workspace-agents.ts";

/** What an agent shares with the other agents of its workspace while it runs. */
export interface AgentSurroundings {
  readonly subagents: Subagents;
  readonly parents: ParentSessions;
  /** Returns the diagnostics of the files that a call changed. */
  diagnose(outcome: CallOutcome, signal: AbortSignal): Promise<string | undefined>;
}

/** Starts a primary agent. */
export async function startAgent(
  start: StartOptions,
  setup: AgentSetup,
  { subagents, parents, diagnose }: AgentSurroundings,
): Promise<StartedAgent> {
  const { options, settings, manifests, models, prompts, threads } = setup;
  const { openSession, graph, host = headlessHost } = start;
  let manifest = findPrimary(start.agent ?? settings.agent ?? "build", setup);
  const limits: AgentLimits = { ...settings, ...manifest.limits, ...defined(start.limits) };
  const budgets = createBudgetCheck(settings.budgets ?? {}, {
    threads,
    session: () => session.id,
    agent: () => manifest.name,
  });
  const meter = createUsageMeter(limits, { budgets });
  const modelOf = (of: AgentManifest): string =>
    models.choose(start.model ?? options.model, models.find(of));
  let model = await openModelOf(manifest);
  let isStale = false;
  const listeners = new Set<(manifest: AgentManifest) => void>();

  async function openModelOf(of: AgentManifest): Promise<OpenModel> {
    const opened = await models.open(modelOf(of));
    if (meter.needsPrices) requirePrice(opened.name, opened.price);
    return opened;
  }

  const session = openSession({
    name: start.session ?? makeSessionName(),
    host,
    maxDefinitionTokens: settings.maxDefinitionTokens,
    ...toRole(manifest, setup),
  });
  const thread = threads.open({
    id: session.id,
    name: session.name,
    workspace: options.computer.roots[0] as string,
  });
  graph?.resume(findLastState(thread.entries()));
  const exitJudge = graph && createExitJudge(graph);
  let interactionId = randomUUID();
  let round = 0;
  const assume = (): void => {
    const own = toRole(manifest, setup);
    if (graph === undefined) session.assume(own);
    else session.assume({ ...own, mode: graph.mode() });
  };
  const stopFollowing = graph?.follow(session, () => toRole(manifest, setup));
  const background = subagents.backgroundOf(session.id);
  const agent: Agent = createAgent({
    session,
    thread,
    limits,
    meter,
    background,
    modelName: () => model.name,
    role: async () => {
      if (isStale) {
        isStale = false;
        model = await openModelOf(manifest);
      }
      start.onRequest?.({ conversationId: session.id, interactionId, round: round++ });
      const own = prompts(manifest, session);
      const state = graph?.instructions();
      const instructions = state === undefined ? own : `${own}\n\n${state}`;
      const isAside = graph?.use === "exit-condition";
      return { name: manifest.name, model, instructions, isAside };
    },
    beforeEnd: () => exitJudge?.beforeEnd(),
    ...(settings.compaction !== false && {
      summarize: (text: string, signal: AbortSignal) =>
        createSummary(text, {
          model,
          manifest: manifests.get("compaction"),
          count: (usage) => {
            meter.add(usage);
            budgets.add(usage);
          },
          signal,
          tracing: session.tracing,
        }),
    }),
    ...((start.diagnostics ?? settings.diagnostics) && {
      remark: async (outcome: CallOutcome, signal: AbortSignal) => {
        // Language servers are the project's own programs: a setting alone does not start them without a sandbox.
        await options.computer.prepareShell();
        const isConfined = options.computer.shellIsolation === "sandbox";
        if (!isConfined && !start.diagnostics) return undefined;
        return (await isDenied(outcome, session)) ? undefined : diagnose(outcome, signal);
      },
    }),
  });

  const become = (name: string): void => {
    const next = findPrimary(name, setup);
    models.choose(start.model ?? options.model, models.find(next));
    manifest = next;
    assume();
    isStale = true;
    for (const listener of listeners) listener(next);
  };
  parents.set(session.id, {
    session,
    host,
    openSession,
    depth: 0,
    model: () => model.name,
    meter,
    become,
  });

  const end = async (outcome: TurnOutcome): Promise<TurnOutcome> => {
    if (outcome.reason === "aborted") await subagents.stop(session.id);
    return outcome;
  };

  return {
    session,
    thread,
    prompt: async (prompt, options = {}) => {
      const { onEvent } = options;
      exitJudge?.startTurn();
      interactionId = randomUUID();
      round = 0;
      if (onEvent === undefined) return end(await agent.prompt(prompt, options));
      const stopHearing = subagents.onEvents(session.id, onEvent);
      const hear: AgentListener = (event) => {
        // The end of the turn is the last event, even if subagents take longer to stop.
        if (event.type === "turn-end") stopHearing();
        return onEvent(event);
      };
      try {
        return await end(await agent.prompt(prompt, { ...options, onEvent: hear }));
      } finally {
        stopHearing();
      }
    },
    get manifest() {
      return manifest;
    },
    get model() {
      return modelOf(manifest);
    },
    become,
    onAgentChange: (listener) => {
      listeners.add(listener);
    },
    close: async () => {
      await stopFollowing?.();
      await subagents.stop(session.id);
      parents.delete(session.id);
      await session.suspend();
      thread.close();
    },
  };
}

// What a rule denies to `lsp` is not done for its sake either.
async function isDenied({ result }: CallOutcome, session: Session): Promise<boolean> {
  const [path = "."] = result.metadata.track_files ?? [];
  const asked = { name: "lsp", arguments: { operation: "diagnostics", path } };
  const { action, rule } = await session.judge(asked);
  return action === "deny" && rule !== null;
}

function findPrimary(name: string, { manifests }: AgentSetup): AgentManifest {
  const found = manifests.get(name);
  if (found !== undefined && found.mode !== "subagent") return found;
  const untrusted = found === undefined ? explainUntrusted(name, manifests) : undefined;
  if (untrusted !== undefined) throw new TypeError(untrusted);
  const primary = manifests.list().filter(({ mode }) => mode !== "subagent");
  const names = primary.map((manifest) => manifest.name).join(", ");
  throw new TypeError(
    found === undefined
      ? `There is no agent ${JSON.stringify(name)}. Agents: ${names}.`
      : `The agent ${name} is a subagent, which only other agents can start. Primary agents: ${names}.`,
  );
}

function defined(limits: AgentLimits = {}): AgentLimits {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

/** Returns the state that a conversation entered last, or `undefined` if it entered none. */
function findLastState(entries: Iterable<StoredEntry>): string | undefined {
  const wanted = new Map<string, string>();
  let last: string | undefined;
  for (const { entry } of entries) {
    for (const { callId, name, input } of callsOf(entry)) {
      const state = isPlainObject(input) ? input.state : undefined;
      if (name === "enter_state" && typeof state === "string") wanted.set(callId, state);
    }
    if (entry.kind === "result" && entry.output.type !== "error-text") {
      last = wanted.get(entry.callId) ?? last;
    }
  }
  return last;
}
