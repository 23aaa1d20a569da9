import type { AppliedComputerLayer, LayeredComputer } from "@haft/computer";
import { ToolError } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import type { Host } from "@haft/core";
import { writeTool } from "@haft/core/internal";
import { createAgent } from "../loop/create-agent.ts";
import { createUsageMeter } from "../loop/usage-meter.ts";
import type { OpenModel } from "../models/open-model.ts";
import { requirePrice } from "../models/open-model-by-name.ts";
import type { Child, ChildRequest } from "../subagents/spawner.ts";
import type { AgentSetup } from "./agent-setup.ts";
import { createBudgetCheck } from "./budgets.ts";
import { isolateChild } from "./isolate-child.ts";
import type { ParentSession, ParentSessions } from "./parent-session.ts";
import { makeChildName } from "./session-names.ts";
import { toRole } from "./to-role.ts";
import type { OpenAgentSession } from "./workspace-agents.ts";

/** Opens a subagent in a session of its own, inside the bounds of the session whose call starts it. */
export async function openChild(
  request: ChildRequest,
  setup: AgentSetup,
  parents: ParentSessions,
): Promise<Child> {
  const { manifest, callId } = request;
  const { options, threads, settings } = setup;
  const parent = parents.get(request.parent);
  if (parent === undefined) {
    throw new ToolError("unavailable", "Agents can't be started from this session.");
  }
  // Read while the call is running: a child in the background outlives it.
  const changesOf = parent.session.changesOf(callId);
  // A session without an agent has no meter that checks the other budgets.
  const { agents, ...others } = settings.budgets ?? {};
  const budgets = createBudgetCheck(
    { ...(agents && { agents }), ...(parent.meter === undefined && others) },
    { threads, session: () => request.parent, agent: () => manifest.name },
  );
  const needsPrices = budgets.needsPrices || parent.meter?.needsPrices === true;
  const model = await openModelFor({ request, parent, needsPrices }, setup);
  const { layered, reason } = await isolateChild(request.isolation, {
    computer: options.computer,
    parent,
    manifest,
    scope: changesOf && {
      ...changesOf,
      get grant() {
        return session.bounds.grant;
      },
      isChangeDenied: (path) => session.bounds.ruleset().denies(writeTool, path, "write"),
    },
  });
  const openSession: OpenAgentSession =
    layered === undefined
      ? parent.openSession
      : (own) => parent.openSession({ computer: layered.computer, ...own });
  const host = createChildHost(parent.host, manifest.name);
  const session = openSession({
    name: makeChildName(parent.session.name, manifest.name),
    host,
    maxDefinitionTokens: settings.maxDefinitionTokens,
    ...toRole(manifest, setup, { isSubagent: true, isIsolated: layered !== undefined }),
    parent: parent.session.bounds,
    // The changes on a layer become the call's when they are applied.
    ...(changesOf !== undefined && layered === undefined && { changesOf }),
  });
  const thread = threads.open({
    id: session.id,
    name: session.name,
    workspace: options.computer.roots[0] as string,
    parent: request.parent,
    isOpaque: !manifest.isInspectable,
  });
  const depth = parent.depth + 1;
  const limits = { retries: settings.retries, ...manifest.limits };
  const meter = createUsageMeter(limits, { above: parent.meter, budgets });
  const isIsolated = layered !== undefined || parent.isIsolated === true;
  const place = { session, host, openSession, depth, isIsolated };
  parents.set(session.id, { ...place, model: () => model.name, meter });
  const role = { name: manifest.name, model, instructions: setup.prompts(manifest, session) };
  const agent = createAgent({
    session,
    thread,
    modelName: () => model.name,
    role: async () => {
      await request.pace?.();
      return role;
    },
    limits,
    meter,
    background: request.backgroundOf(session.id),
  });
  let applying: Promise<AppliedComputerLayer> | undefined;
  const apply = async (layer: LayeredComputer): Promise<AppliedComputerLayer> => {
    await session.suspend();
    return layer.apply();
  };
  const settle = (layer: LayeredComputer): Promise<AppliedComputerLayer> => {
    applying ??= apply(layer);
    return applying;
  };
  return {
    agent,
    depth,
    ...(layered !== undefined && {
      isolation: { kind: "layer" as const, apply: () => settle(layered) },
    }),
    ...(reason !== undefined && { isolation: { kind: "none" as const, reason } }),
    close: async () => {
      parents.delete(session.id);
      await session.suspend();
      if (layered !== undefined) await settle(layered);
      thread.close();
    },
  };
}

interface ChildModel {
  readonly request: ChildRequest;
  readonly parent: ParentSession;
  readonly needsPrices: boolean;
}

async function openModelFor(
  { request: { manifest }, parent, needsPrices }: ChildModel,
  { models }: AgentSetup,
): Promise<OpenModel> {
  try {
    const model = await models.open(models.choose(models.find(manifest), parent.model()));
    if (needsPrices) requirePrice(model.name, model.price);
    return model;
  } catch (error) {
    throw new ToolError(
      "unavailable",
      `The agent ${manifest.name} can't be started. ${toErrorMessage(error)}`,
      { cause: error },
    );
  }
}

// Names the subagent in what the person is asked.
function createChildHost(parent: Host, agent: string): Host {
  return {
    headless: parent.headless,
    ask: (request) => parent.ask({ ...request, name: `${agent} › ${request.name}` }),
    question: (request) =>
      parent.question({
        ...request,
        questions: request.questions.map((question) => ({
          ...question,
          header: question.header ?? agent,
        })),
      }),
  };
}
