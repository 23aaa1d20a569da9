import { createMemoryComputer } from "@haft/computer/memory";
import { type Tool, ToolError } from "@haft/contract";
import {
  type Computer,
  createRegistry,
  createSession,
  parseRule,
  type Session,
  type SessionOptions,
} from "@haft/core";
import { builtinTools } from "@haft/tools";
import { onTestFinished } from "vitest";
import type { Agent } from "../../loop/agent.ts";
import { createAgent } from "../../loop/create-agent.ts";
import type { AgentManifest, AgentManifests } from "../../manifests/agent-manifest.ts";
import { toCoreManifest } from "../../manifests/to-core-manifest.ts";
import { toMode } from "../../manifests/to-mode.ts";
import type { OpenModel } from "../../models/open-model.ts";
import { createMemoryThread } from "../../threads/memory-thread.ts";
import { createSubagents, type Subagents } from "../create-subagents.ts";

/** A primary agent that can spawn others, on one computer. */
export interface TestHouse {
  readonly session: Session;
  readonly agent: Agent;
  readonly subagents: Subagents;
  /** Of children, in the order in which they were opened. */
  readonly sessions: readonly Session[];
  /** How many children are open. */
  open(): number;
}

/** How a house differs from others. */
export interface TestHouseOptions {
  readonly manifests: readonly AgentManifest[];
  /** Who answers for the agent of this name; it is asked for every child anew. */
  model(agent: string): OpenModel;
  readonly computer?: Computer;
  readonly tools?: readonly Tool[];
  /** Of the primary agent's session; every call is allowed unless said. */
  readonly session?: Partial<SessionOptions>;
}

let made = 0;

/** Opens a house whose children are real agents in child sessions. Goes with the test. */
export function openTestHouse(options: TestHouseOptions): TestHouse {
  const { manifests, model, computer = createMemoryComputer() } = options;
  const members = new Map<string, { readonly session: Session; readonly depth: number }>();
  const sessions: Session[] = [];
  const subagents = createSubagents({
    manifests: () => toManifests(manifests),
    spawner: async () => ({
      depthOf: (session) => members.get(session)?.depth ?? 0,
      agents: () => manifests,
      openChild: async ({ manifest, parent, callId, pace }) => {
        const above = members.get(parent);
        if (above === undefined) throw new ToolError("unavailable", "There is no such parent.");
        const changesOf = above.session.changesOf(callId);
        const session = open({
          mode: toMode(manifest, { isSubagent: true }),
          manifest: toCoreManifest(manifest),
          parent: above.session.bounds,
          ...(changesOf !== undefined && { changesOf }),
        });
        const depth = above.depth + 1;
        members.set(session.id, { session, depth });
        sessions.push(session);
        const answering = model(manifest.name);
        const agent = createAgent({
          session,
          thread: createMemoryThread({ id: session.id }),
          role: async () => {
            await pace?.();
            return { name: manifest.name, model: answering, instructions: manifest.prompt };
          },
          background: subagents.backgroundOf(session.id),
          ...(manifest.limits !== undefined && { limits: manifest.limits }),
          wait: async () => {},
        });
        const close = async (): Promise<void> => {
          members.delete(session.id);
          await session.close();
        };
        return { agent, depth, close };
      },
    }),
  });
  const registry = createRegistry([...(options.tools ?? builtinTools), ...subagents.tools]);
  const open = (difference: Partial<SessionOptions>): Session =>
    createSession({ registry, computer, name: `house-${++made}`, ...difference });
  const session = open({ rules: [parseRule("* * allow")], ...options.session });
  members.set(session.id, { session, depth: 0 });
  onTestFinished(async () => {
    await subagents.close();
    await session.close();
  });
  const agent = createAgent({
    session,
    thread: createMemoryThread({ id: session.id }),
    role: () => ({ name: "build", model: model("build"), instructions: "Be good." }),
    background: subagents.backgroundOf(session.id),
  });
  return { session, agent, subagents, sessions, open: () => members.size - 1 };
}

/** A manifest that differs in what is said. */
export function makeManifest(name: string, facts: Partial<AgentManifest> = {}): AgentManifest {
  return {
    name,
    description: `The ${name}.`,
    mode: "subagent",
    prompt: "Do it.",
    isInspectable: true,
    isTool: false,
    origin: "test",
    ...facts,
  };
}

function toManifests(list: readonly AgentManifest[]): AgentManifests {
  return {
    get: (wanted) => list.find(({ name }) => name === wanted),
    list: () => list,
    warnings: [],
  };
}
