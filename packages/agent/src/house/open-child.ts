import { ToolError } from "@haft/contract";
import { createAgent } from "../loop/create-agent.ts";
import { createUsageMeter } from "../loop/usage-meter.ts";
import type { OpenModel } from "../models/open-model.ts";
import { requirePrice } from "../models/open-model-by-name.ts";
import type { Child, ChildRequest } from "../subagents/spawner.ts";
import { createChildHost } from "./child-host.ts";
import type { HouseParts } from "./house-parts.ts";
import type { Resident } from "./residents.ts";
import { makeChildName } from "./session-names.ts";
import { toRole } from "./to-role.ts";

/** Has a subagent ready: in a session of its own, inside the bounds of the one whose call spawns it. */
export async function openChild(request: ChildRequest, parts: HouseParts): Promise<Child> {
  const { manifest, callId } = request;
  const { place, threads, subagents, residents, settings } = parts;
  const parent = residents.get(request.parent);
  if (parent === undefined) {
    throw new ToolError("unavailable", "Agents can't be spawned from this session.");
  }
  // Taken while the call is under way: a child in the background outlives it.
  const changesOf = parent.session.changesOf(callId);
  const model = await openModelFor(request, parent, parts);
  const host = createChildHost(parent.host, manifest.name);
  const session = place.openSession({
    name: makeChildName(parent.session.name, manifest.name),
    host,
    ...toRole(manifest, parts, { isSubagent: true }),
    parent: parent.session.bounds,
    ...(changesOf !== undefined && { changesOf }),
  });
  const thread = threads.open({
    id: session.id,
    name: session.name,
    workspace: place.computer.roots[0] as string,
    parent: request.parent,
    isOpaque: !manifest.isInspectable,
  });
  const depth = parent.depth + 1;
  const limits = { retries: settings.retries, ...manifest.limits };
  const meter = createUsageMeter(limits, parent.meter);
  residents.set(session.id, { session, host, depth, model: () => model.name, meter });
  const role = { name: manifest.name, model, instructions: parts.instructions.write(manifest) };
  const agent = createAgent({
    session,
    thread,
    role: async () => {
      await request.pace?.();
      return role;
    },
    limits,
    meter,
    background: subagents.backgroundOf(session.id),
  });
  return {
    agent,
    depth,
    close: async () => {
      await subagents.stop(session.id);
      residents.delete(session.id);
      await session.suspend();
      thread.close();
    },
  };
}

async function openModelFor(
  { manifest }: ChildRequest,
  parent: Resident,
  { models }: HouseParts,
): Promise<OpenModel> {
  try {
    const model = await models.open(models.choose(manifest.model, parent.model()));
    if (parent.meter?.needsPrices) requirePrice(model.name, model.price);
    return model;
  } catch (error) {
    throw new ToolError(
      "unavailable",
      `The agent ${manifest.name} can't be asked. ${(error as Error).message}`,
      { cause: error },
    );
  }
}
