import { type Runtime, ToolError } from "@haft/contract";
import type { AgentEvent, TurnOutcome } from "../loop/agent-event.ts";
import type { AgentManifest } from "../manifests/agent-manifest.ts";
import type { ChildData } from "./child-data.ts";
import { type IsolationRequest, settleIsolation } from "./child-isolation.ts";
import { describeProgress } from "./describe-progress.ts";
import type { SpawnedChild } from "./spawned-child.ts";
import type { Child } from "./spawner.ts";
import type { SubagentPool } from "./subagent-pool.ts";

/** Which agent to start, and its prompt. */
export interface ChildOrder {
  readonly manifest: AgentManifest;
  readonly prompt: string;
  /** Default: `none`. */
  readonly isolation?: IsolationRequest;
}

const maxDepth = 5;
const maxFiles = 500;

/** Opens a subagent. This happens during the call that starts it, so that its changes belong to that call. */
export async function spawnChild(
  { manifest, prompt, isolation = "none" }: ChildOrder,
  runtime: Runtime,
  pool: SubagentPool,
): Promise<SpawnedChild> {
  const { callId } = runtime;
  const parent = runtime.session.id;
  const { name: agent, isInspectable } = manifest;
  if (runtime.signal.aborted) throw notBegun("cancelled", agent, "the call was aborted.");
  const depth = pool.spawner.depthOf(parent) + 1;
  if (depth > maxDepth) {
    throw notBegun(
      "quota",
      agent,
      `subagents can be nested at most ${maxDepth} deep. Do the work yourself.`,
    );
  }
  const slot = pool.join(pool.tree.rootOf(parent), depth);
  if (slot === undefined) {
    throw notBegun(
      "quota",
      agent,
      "too many subagents are running or waiting. Try again when some have finished.",
    );
  }
  let child: Child;
  try {
    child = await pool.spawner.openChild({
      manifest,
      parent,
      callId,
      isolation,
      backgroundOf: (session) => pool.tasksOf(session).work,
      pace: pool.pace,
    });
  } catch (error) {
    slot.leave();
    throw error;
  }
  const session = child.agent.session.id;
  const thread = child.agent.thread.facts.id;
  pool.tree.add({ session, parent, call: callId, agent, thread, isInspectable });
  const changed = new Set<string>();
  const hear = (event: AgentEvent): void => {
    if (event.type === "tool-result") {
      for (const path of event.result.metadata.track_files ?? []) changed.add(path);
    }
    if (!isInspectable) return;
    const message = describeProgress(agent, event);
    if (message !== undefined) runtime.progress({ message });
    pool.tree.tell(session, event);
  };
  const run = async (signal: AbortSignal): Promise<ChildData> => {
    try {
      await slot.enter(signal).catch(() => {
        throw notBegun("cancelled", agent, "it was stopped while waiting for a free slot.");
      });
      const outcome = await child.agent.prompt(prompt, { signal, onEvent: hear });
      const shown = isInspectable ? { agent, thread } : { agent };
      // Its own subagents work on its layer too.
      await pool.stop(session);
      const { changed: applied, ...settled } = await settleIsolation(child.isolation);
      const files = applied ?? [...changed];
      return { ...shown, ...toData(outcome), ...toChanged(files), ...settled };
    } finally {
      slot.leave();
      await letGo(child, pool);
    }
  };
  return {
    agent,
    thread: isInspectable ? thread : undefined,
    isolation: child.isolation?.kind,
    run: (signal) => {
      const ending = run(signal);
      if (child.isolation?.kind === "layer") pool.awaitEnd(ending);
      return ending;
    },
  };
}

async function letGo(child: Child, pool: SubagentPool): Promise<void> {
  const session = child.agent.session.id;
  try {
    await pool.stop(session);
    await child.close();
  } catch {
    // Its work is done and recorded. A failure to clean up must not lose the answer.
  } finally {
    pool.forget(session);
  }
}

function toData({ text, steps, reason, error }: TurnOutcome): Omit<ChildData, "agent"> {
  return { text, steps, reason, ...(error !== undefined && { error }) };
}

function toChanged(files: readonly string[]): Partial<ChildData> {
  if (files.length === 0) return {};
  const more = files.length - maxFiles;
  return {
    changed_files: files.slice(0, maxFiles),
    ...(more > 0 && { more_changed_files: more }),
  };
}

function notBegun(code: "cancelled" | "quota", agent: string, reason: string): ToolError {
  return new ToolError(code, `The subagent ${agent} was not started: ${reason}`);
}
