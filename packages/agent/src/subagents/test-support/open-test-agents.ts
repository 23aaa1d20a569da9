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
import type { OpenModel } from "../../models/open-model.ts";
import { createMemoryThread } from "../../threads/memory-thread.ts";
import { toCoreManifest, toMode } from "../../workspace-agents/to-role.ts";
import { createSubagents, type Subagents } from "../create-subagents.ts";

/** A primary agent that can spawn others, on one computer. */
export interface TestAgents {
  readonly session: Session;
  readonly agent: Agent;
  readonly subagents: Subagents;
  /** Of children, in the order in which they were opened. */
  readonly sessions: readonly Session[];
  /** How many children are open. */
  open(): number;
}

/** Options of `openTestAgents`. */
export interface TestAgentsOptions {
  readonly manifests: readonly AgentManifest[];
  /** Who answers for the agent of this name; it is asked for every child anew. */
  model(agent: string): OpenModel;
  readonly computer?: Computer;
  readonly tools?: readonly Tool[];
  /** Options of the primary agent's session. Default: every call is allowed. */
  readonly session?: Partial<SessionOptions>;
}

let made = 0;

/** Opens a primary agent whose children are real agents in child sessions. Closed when the test ends. */
export function openTestAgents(options: TestAgentsOptions): TestAgents {
  const { manifests, model, computer = createMemoryComputer() } = options;
  const members = new Map<string, { readonly session: Session; readonly depth: number }>();
  const sessions: Session[] = [];
  const subagents = createSubagents({
    manifests: () => toManifests(manifests),
    spawner: {
      depthOf: (session) => members.get(session)?.depth ?? 0,
      openChild: async ({ manifest, parent, callId, pace, backgroundOf }) => {
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
          background: backgroundOf(session.id),
          ...(manifest.limits !== undefined && { limits: manifest.limits }),
          wait: async () => {},
        });
        const close = async (): Promise<void> => {
          members.delete(session.id);
          await session.close();
        };
        return { agent, depth, close };
      },
    },
  });
  const registry = createRegistry([...(options.tools ?? builtinTools), ...subagents.tools]);
  const open = (difference: Partial<SessionOptions>): Session =>
    createSession({ registry, computer, name: `agents-${++made}`, ...difference });
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
    untrusted: [],
  };
}
