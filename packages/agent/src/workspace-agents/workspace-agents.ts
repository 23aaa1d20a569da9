import type { DiskComputer } from "@haft/computer";
import type { Tool } from "@haft/contract";
import type { Computer, Host, Session, SessionOptions } from "@haft/core";
import type { Agent } from "../loop/agent.ts";
import type { AgentLimits } from "../loop/agent-limits.ts";
import type { AgentManifest, AgentManifests } from "../manifests/agent-manifest.ts";
import type { Skills } from "../skills/skills.ts";
import type { StateGraph } from "../states/state-graph.ts";
import type { Threads } from "../threads/threads.ts";

/** Options of `createWorkspaceAgents`. */
export interface WorkspaceAgentsOptions {
  readonly computer: DiskComputer;
  /** The directory of the thread and recording databases. */
  readonly stateDirectory: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Model of the agents as `PROVIDER/MODEL`. Overrides the settings. */
  readonly model?: string | undefined;
  /** Base URL of the model's provider. */
  readonly baseUrl?: string | undefined;
  /** Whether Haft's own agent works here. If not, tools that only it needs are left out. */
  readonly hasAgent: boolean;
  /** Whether the `skill` tool lists the skills, because no system prompt of Haft does. Default: false. */
  readonly advertisesSkills?: boolean;
  /** Whether `run_code` is offered, where this machine has a sandbox for programs. Default: false. */
  readonly hasPrograms?: boolean;
  /** Whether programs can go on after their call, as the dialect `codex` has it. Default: false. */
  readonly hasCells?: boolean;
  /** Receives warnings, such as which file was ignored and why. */
  warn(message: string): void;
}

/** Session options that an agent sets for its own session. */
export interface AgentSessionOptions
  extends Pick<
    SessionOptions,
    "name" | "host" | "mode" | "manifest" | "parent" | "changesOf" | "maxDefinitionTokens"
  > {
  /** The computer of a subagent that works on a layer. Default: the workspace's. */
  readonly computer?: Computer;
}

/** Opens a session of the workspace, with its tools, rules and recorder. */
export type OpenAgentSession = (options: AgentSessionOptions) => Session;

/** Options for starting a primary agent. */
export interface StartOptions {
  readonly openSession: OpenAgentSession;
  /** Name of the agent. Default: the one in the settings, or `build`. */
  readonly agent?: string | undefined;
  /** Name of the session. Default: a new name. */
  readonly session?: string | undefined;
  /** `PROVIDER/MODEL`. Overrides the manifest and the settings. */
  readonly model?: string | undefined;
  readonly limits?: AgentLimits | undefined;
  /** Default: a headless host, which refuses everything that needs approval. */
  readonly host?: Host | undefined;
  /** Whether the model gets the diagnostics of files it changed. Default: as in the settings. */
  readonly diagnostics?: boolean | undefined;
  /** The state graph that the agent follows, if any. */
  readonly graph?: StateGraph | undefined;
  /** Receives the position in the conversation before each request to the model. */
  onRequest?(position: ConversationPosition): void;
}

/** A position in the conversation of an agent. */
export interface ConversationPosition {
  /** ID of the session. */
  readonly conversationId: string;
  /** ID of the turn. */
  readonly interactionId: string;
  /** The index of the request in the turn, from 0. */
  readonly round: number;
}

/** A primary agent that is ready to be prompted. */
export interface StartedAgent extends Agent {
  /** The manifest of the agent that acts now. */
  readonly manifest: AgentManifest;
  /** `PROVIDER/MODEL` */
  readonly model: string;
  /** Switches to another primary agent from the next request on. Throws a `TypeError` that lists the agents if there is none of this name. */
  become(agent: string): void;
  /** Calls the listener whenever another agent takes over, including through `plan_exit`. */
  onAgentChange(listener: (manifest: AgentManifest) => void): void;
  /** Stops background work and closes the thread. */
  close(): Promise<void>;
}

/** The agents of a workspace and the tools they add to it. Files are read and servers started on first use. */
export interface WorkspaceAgents {
  readonly tools: readonly Tool[];
  /** Reads the manifests, so that tool descriptions list the agents and agents with `tool: true` become tools. */
  loadTools(): Promise<void>;
  /** Returns the IDs of the tools that can't work here: those that start agents, if no model is chosen. */
  listUnusable(): Promise<readonly string[]>;
  /** Allows `task` and the other agent tools in a session. Without this they refuse to start agents there. */
  adopt(
    session: Session,
    context: { readonly host: Host; readonly openSession: OpenAgentSession },
  ): void;
  manifests(): Promise<AgentManifests>;
  threads(): Promise<Threads>;
  skills(): Skills;
  /** Starts a primary agent. Throws a `TypeError` with the remedy if there is no such agent or no model. */
  start(options: StartOptions): Promise<StartedAgent>;
  /** Stops subagents and language servers and closes the threads. */
  close(): Promise<void>;
}
