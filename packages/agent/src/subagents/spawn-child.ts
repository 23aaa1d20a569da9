import { type Runtime, ToolError } from "@haft/contract";
import type { AgentEvent, TurnOutcome } from "../loop/agent-event.ts";
import type { AgentManifest } from "../manifests/agent-manifest.ts";
import type { ChildData } from "./child-data.ts";
import type { Crew } from "./crew.ts";
import { describeProgress } from "./describe-progress.ts";
import type { SpawnedChild } from "./spawned-child.ts";
import type { Child } from "./spawner.ts";

/** Who is to do what. */
export interface ChildOrder {
  readonly manifest: AgentManifest;
  readonly prompt: string;
}

const mostDepth = 5;
const mostFiles = 500;

/** Has a child ready. That happens during the call that wants it: the child's changes are that call's. */
export async function spawnChild(
  { manifest, prompt }: ChildOrder,
  runtime: Runtime,
  crew: Crew,
): Promise<SpawnedChild> {
  const { callId } = runtime;
  const parent = runtime.session.id;
  const { name: agent, isInspectable } = manifest;
  if (runtime.signal.aborted) throw notBegun("cancelled", agent, "the call was aborted.");
  const spawner = await crew.spawner();
  const depth = spawner.depthOf(parent) + 1;
  if (depth > mostDepth) {
    throw notBegun("quota", agent, `subagents go ${mostDepth} deep at most. Do the work yourself.`);
  }
  const ticket = crew.join(crew.family.rootOf(parent), depth);
  if (ticket === undefined) {
    throw notBegun("quota", agent, "too many are at work or wait. Go on when some have ended.");
  }
  let child: Child;
  try {
    child = await spawner.openChild({ manifest, parent, callId, pace: crew.pace });
  } catch (error) {
    ticket.leave();
    throw error;
  }
  const session = child.agent.session.id;
  const thread = child.agent.thread.facts.id;
  crew.family.add({ session, parent, call: callId, agent, thread, isInspectable });
  const changed = new Set<string>();
  const hear = (event: AgentEvent): void => {
    if (event.type === "tool-result") {
      for (const path of event.result.metadata.track_files ?? []) changed.add(path);
    }
    if (!isInspectable) return;
    const message = describeProgress(agent, event);
    if (message !== undefined) runtime.progress({ message });
    crew.family.tell(session, event);
  };
  return {
    agent,
    thread: isInspectable ? thread : undefined,
    run: async (signal) => {
      try {
        await ticket.enter(signal).catch(() => {
          throw notBegun("cancelled", agent, "it was stopped while it waited for its turn.");
        });
        const outcome = await child.agent.prompt(prompt, { signal, onEvent: hear });
        const shown = isInspectable ? { agent, thread } : { agent };
        return { ...shown, ...toData(outcome), ...toChanged([...changed]) };
      } finally {
        ticket.leave();
        await letGo(child, crew);
      }
    },
  };
}

async function letGo(child: Child, crew: Crew): Promise<void> {
  const session = child.agent.session.id;
  try {
    await crew.stop(session);
    await child.close();
  } catch {
    // What it did is done and recorded: its answer is worth more than a tidy end.
  } finally {
    crew.forget(session);
  }
}

function toData({ text, steps, reason, error }: TurnOutcome): Omit<ChildData, "agent"> {
  return { text, steps, reason, ...(error !== undefined && { error }) };
}

function toChanged(files: readonly string[]): Partial<ChildData> {
  if (files.length === 0) return {};
  const more = files.length - mostFiles;
  return {
    changed_files: files.slice(0, mostFiles),
    ...(more > 0 && { more_changed_files: more }),
  };
}

function notBegun(code: "cancelled" | "quota", agent: string, reason: string): ToolError {
  return new ToolError(code, `The subagent ${agent} was not begun: ${reason}`);
}
