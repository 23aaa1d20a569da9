import { type CallOutcome, headlessHost } from "@haft/core";
import type { Agent, AgentRole } from "../loop/agent.ts";
import type { AgentLimits } from "../loop/agent-limits.ts";
import { createAgent } from "../loop/create-agent.ts";
import { createUsageMeter } from "../loop/usage-meter.ts";
import type { AgentManifest } from "../manifests/agent-manifest.ts";
import { requirePrice } from "../models/open-model-by-name.ts";
import type { AgentStart, StartedAgent } from "./agent-house.ts";
import type { HouseParts } from "./house-parts.ts";
import { makeSessionName } from "./session-names.ts";
import { createSummary } from "./summarize.ts";
import { toRole } from "./to-role.ts";

/** Has a primary agent ready to be prompted. */
export async function startAgent(start: AgentStart, parts: HouseParts): Promise<StartedAgent> {
  const { place, settings, manifests, models, instructions, subagents, residents, threads } = parts;
  const host = start.host ?? headlessHost;
  const graph = place.graph?.();
  let manifest = findPrimary(start.agent ?? settings.agent ?? "build", parts);
  const limits: AgentLimits = { ...settings, ...manifest.limits, ...defined(start.limits) };
  const meter = createUsageMeter(limits);
  const modelOf = (of: AgentManifest): string =>
    models.choose(start.model ?? place.model, of.model);
  let role = await makeRole(manifest);
  let isStale = false;
  const listeners = new Set<(manifest: AgentManifest) => void>();

  async function makeRole(of: AgentManifest): Promise<AgentRole> {
    const model = await models.open(modelOf(of));
    if (meter.needsPrices) requirePrice(model.name, model.price);
    return { name: of.name, model, instructions: instructions.write(of) };
  }

  const session = place.openSession({
    name: start.session ?? makeSessionName(),
    host,
    ...toRole(manifest, parts),
  });
  const thread = threads.open({
    id: session.id,
    name: session.name,
    workspace: place.computer.roots[0] as string,
  });
  const assume = (): void => {
    const own = toRole(manifest, parts);
    if (graph === undefined) session.assume(own);
    else session.assume({ ...own, mode: graph.mode() });
  };
  const stopFollowing = graph?.follow(session, () => toRole(manifest, parts));
  const background = subagents.backgroundOf(session.id);
  const agent: Agent = createAgent({
    session,
    thread,
    limits,
    meter,
    background,
    role: async () => {
      if (isStale) {
        isStale = false;
        role = await makeRole(manifest);
      }
      const state = graph?.instructions();
      return state === undefined
        ? role
        : { ...role, instructions: `${role.instructions}\n\n${state}` };
    },
    ...(settings.compaction !== false && {
      summarize: (text: string, signal: AbortSignal) =>
        createSummary(text, {
          model: role.model,
          manifest: manifests.get("compaction"),
          count: meter.add,
          signal,
        }),
    }),
    ...((start.diagnostics ?? settings.diagnostics) && {
      remark: (outcome: CallOutcome, signal: AbortSignal) => parts.diagnose(outcome, signal),
    }),
  });

  const become = (name: string): void => {
    const next = findPrimary(name, parts);
    models.choose(start.model ?? place.model, next.model);
    manifest = next;
    assume();
    isStale = true;
    for (const listener of listeners) listener(next);
  };
  residents.set(session.id, {
    session,
    host,
    depth: 0,
    model: () => role.model.name,
    meter,
    become,
  });

  return {
    session,
    thread,
    prompt: async (prompt, options = {}) => {
      const { onEvent } = options;
      const stopHearing = onEvent && subagents.onEvents(session.id, onEvent);
      try {
        const outcome = await agent.prompt(prompt, options);
        if (outcome.reason === "aborted") await subagents.stop(session.id);
        return outcome;
      } finally {
        stopHearing?.();
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
      residents.delete(session.id);
      await session.suspend();
      thread.close();
    },
  };
}

function findPrimary(name: string, { manifests }: HouseParts): AgentManifest {
  const found = manifests.get(name);
  if (found !== undefined && found.mode !== "subagent") return found;
  const primary = manifests.list().filter(({ mode }) => mode !== "subagent");
  const names = primary.map((manifest) => manifest.name).join(", ");
  throw new TypeError(
    found === undefined
      ? `There is no agent ${JSON.stringify(name)}. Agents: ${names}.`
      : `The agent ${name} is a subagent: another agent calls it. Agents to start with: ${names}.`,
  );
}

function defined(limits: AgentLimits = {}): AgentLimits {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}
