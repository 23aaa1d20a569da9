import { existsSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import type { StateGraph } from "@haft/agent/internal/states";
import {
  type AgentSessionOptions,
  createWorkspaceAgents,
  type WorkspaceAgents,
  type WorkspaceAgentsOptions,
} from "@haft/agent/internal/workspace-agents";
import { createDiskComputer, type DiskComputer } from "@haft/computer";
import {
  createExecutableWatchdog,
  type InboxHost,
  noteOpenSession,
  stateDirectory,
} from "@haft/computer/internal";
import {
  combineWatchdogs,
  createMemoryRecorder,
  createSession,
  createWatchdog,
  type Dialect,
  type Host,
  type Recorder,
  type ReviewMode,
  type Rule,
  type RuleScope,
  type ScopedRule,
  type Session,
  type StoredRule,
} from "@haft/core";
import { compileRules, type RuleBase } from "@haft/core/internal";
import { openHooks } from "./hooks/open-hooks.ts";
import { homeOf, type Io } from "./io.ts";
import { recordingOf, recordOrWarn } from "./open-recorder.ts";
import { findToolHosts, findToolSecrets, findUnusableTools } from "./options/choose-tools.ts";
import type { CommonOptions } from "./options/common-options.ts";
import { type OpenTools, openTools, type ToolOffer } from "./sources/open-tools.ts";
import { chooseHost, openInboxHost } from "./terminal/choose-host.ts";
import { createForwardCall } from "./terminal/create-forward-call.ts";
import { settleTrust } from "./trust/settle-trust.ts";
import { UsageError } from "./usage-error.ts";

/** A workspace with its tools, ready for sessions. */
export interface Workspace {
  readonly computer: DiskComputer;
  readonly recorder: Recorder;
  readonly agents: WorkspaceAgents;
  /** The state graph that tools depend on, if any. */
  readonly graph: StateGraph | undefined;
  /** Sets the position in the conversation that published tools are invoked for. */
  readonly onRequest: OpenTools["onRequest"];
  /** The host that the options select. */
  readonly host: Host;
  /** The host whose calls wait in the inbox, unless they are refused. */
  readonly inboxHost: InboxHost | undefined;
  /** Opens the session that the options name. Defaults come from the options. */
  openSession(choice?: SessionChoice): Session;
  /** Closes all tool sources and writes all records to disk. */
  close(): Promise<void>;
}

/** What a session has other than the options select. */
export interface SessionChoice extends AgentSessionOptions {
  readonly rules?: readonly Rule[];
  readonly dialect?: Dialect;
  readonly watchdog?: "off";
  readonly review?: ReviewMode;
}

/** How a command uses a workspace. */
export interface WorkspaceUse {
  /**
   * Whether the command is a server. Then its jobs end with it instead of running until their session
   * is closed, commands go on as jobs at their time limit, and calls need not wait until the previous
   * one is recorded.
   */
  readonly serves?: boolean;
  /** Whether calls are made. Default: true. If not, records are only read. */
  readonly makesCalls?: boolean;
  /** Whether tools are listed. Then their descriptions name the available agents. */
  readonly shows?: boolean;
  /** Whether to ask in the terminal about untrusted files of the workspace. Default: false. */
  readonly asksForTrust?: boolean;
  /** The model, if Haft's agent runs here. */
  readonly agent?: Pick<WorkspaceAgentsOptions, "model" | "baseUrl">;
  /** Redirects file access and commands. */
  delegate?(computer: DiskComputer): DiskComputer;
  /** Further directories of the workspace. */
  readonly moreRoots?: readonly string[];
  /** Opens further tool sources. */
  openMore?: ToolOffer["openMore"];
}

const gatherMs = 100;
const defaultServedWaitMs = 60 * 60 * 1000;

/** Opens the workspace that the options name. */
export async function openWorkspace(
  options: CommonOptions,
  io: Io,
  {
    serves = false,
    makesCalls = true,
    shows = serves,
    asksForTrust = false,
    moreRoots,
    agent,
    delegate,
    openMore,
  }: WorkspaceUse = {},
): Promise<Workspace> {
  const local = openComputer(options, io, { serves, ...(moreRoots && { moreRoots }) });
  await settleTrust(local, io, { ...options, asks: asksForTrust });
  followKnownRules(local, options);
  const computer = delegate?.(local) ?? local;
  const isRecorded = makesCalls || existsSync(recordingOf(io));
  const recorder = isRecorded
    ? await recordOrWarn(io, serves ? { gatherMs } : {})
    : createMemoryRecorder();
  const agents = createWorkspaceAgents({
    computer,
    stateDirectory: stateDirectory(io.environment),
    home: homeOf(io),
    environment: io.environment,
    hasAgent: agent !== undefined,
    advertisesSkills: shows && agent === undefined,
    hasPrograms: options.code,
    hasCells: options.dialect.name === "codex",
    model: agent?.model,
    baseUrl: agent?.baseUrl,
    warn: (message) => io.error(`haft: ${message}\n`),
  });
  if (shows || options.code) await agents.loadTools();
  const tracing = makesCalls ? await io.tracing?.() : undefined;
  const tools = await openTools(options, io, {
    computer,
    agentTools: agents.tools,
    // `haft call` explains what is missing. An agent would only try in vain.
    ...(serves && { unusable: [...(await agents.listUnusable()), ...findUnusableTools(io)] }),
    ...(agent && { forwardCall: createForwardCall(options, io) }),
    ...(openMore && { openMore }),
    tracing,
  });
  const { registry, graph } = tools;
  const asker = agent !== undefined ? "haft agent" : serves ? "haft mcp" : "haft call";
  const waitMs = options.waitMs ?? (asker === "haft mcp" ? defaultServedWaitMs : 0);
  const inboxHost = waitMs === 0 ? undefined : openInboxHost(computer, { asker, waitMs }, io);
  const host = chooseHost(options, io, { computer, registry, inboxHost });
  const own = createWatchdog();
  const watchdog =
    options.watchdog === undefined
      ? own
      : combineWatchdogs(own, createExecutableWatchdog(options.watchdog));
  const hooksOf = makesCalls
    ? await openHooks(options, io, { computer: local, recorder })
    : undefined;
  const openSession = (choice: SessionChoice = {}): Session => {
    const session = createSession({
      registry,
      computer,
      recorder,
      host,
      name: options.session,
      dialect: options.dialect,
      rules: options.rules,
      watchdog,
      review: options.review,
      secrets: findToolSecrets(io),
      onTimeout: serves ? "background" : "stop",
      tracing,
      // Subagents have the hooks of their parent.
      hooks: choice.parent === undefined ? hooksOf?.(choice.name ?? options.session) : undefined,
      ...choice,
      ...(options.maxDefinitionTokens !== undefined && {
        maxDefinitionTokens: options.maxDefinitionTokens,
      }),
    });
    session.on("session:warning", ({ message }) => io.error(`haft: ${message}\n`));
    listOnceUsed(session, { computer, isLasting: serves || agent !== undefined }, io);
    inboxHost?.follow(session);
    tools.attach(session);
    // Haft's own agent follows by itself, with the rest of its role.
    if (agent === undefined) graph?.follow(session);
    agents.adopt(session, { host: choice.host ?? host, openSession });
    return session;
  };
  return {
    computer,
    recorder,
    agents,
    graph,
    onRequest: tools.onRequest,
    host,
    inboxHost,
    openSession,
    close: async () => {
      await agents.close();
      await tools.close();
      await recorder.close();
    },
  };
}

// Servers and modules start before there is a session. Sessions add the rules of their agents.
function followKnownRules(computer: DiskComputer, options: CommonOptions): void {
  const { rules: stored } = computer.openSession(options.session);
  const base: RuleBase = {
    roots: computer.roots,
    home: computer.home,
    nativeId: () => undefined,
    isSandboxed: () => computer.shellIsolation === "sandbox",
    identify: (path) => computer.identify(path),
  };
  const scope = (rules: readonly StoredRule[], origin: RuleScope): readonly ScopedRule[] =>
    rules.map(({ isUntrusted = false, ...rule }) => ({ rule, scope: origin, isUntrusted }));
  computer.followRules?.(() => {
    const own = scope([...options.rules, ...stored.list("session")], "session");
    return compileRules([...own, ...scope(stored.list("project"), "project")], base).fileRules();
  });
}

/** Opens the computer of the workspace that the options name. */
export function openComputer(
  options: CommonOptions,
  io: Io,
  { serves = false, moreRoots = [] }: Pick<WorkspaceUse, "serves" | "moreRoots"> = {},
): DiskComputer {
  try {
    const computer = createDiskComputer({
      workspace: [options.workspace, ...moreRoots, ...options.roots.writable].map((root) =>
        resolve(io.directory, root),
      ),
      readOnlyRoots: options.roots.readOnly,
      stateDirectory: stateDirectory(io.environment),
      userData: [userDataDirectory(io)],
      sandbox: options.sandbox,
      allowHosts: options.allowHosts,
      toolHosts: findToolHosts(io),
      passVariables: options.passVariables,
      keepJobs: !serves,
      trustProject: options.trustProject,
    });
    // Checks the name before anything runs under it.
    computer.openSession(options.session);
    return computer;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

// Not the state directory, which no tool may touch.
function userDataDirectory(io: Io): string {
  const { XDG_DATA_HOME: data } = io.environment;
  return join(data && isAbsolute(data) ? data : join(homeOf(io), ".local/share"), "haft");
}

// A session is listed from its first call, even if the call stored only its record. One that lasts counts
// as open from then on.
function listOnceUsed(
  session: Session,
  { computer, isLasting }: { readonly computer: DiskComputer; readonly isLasting: boolean },
  io: Io,
): void {
  let listed = false;
  const touch = (): void => {
    if (listed) return;
    listed = true;
    try {
      computer.openSession(session.name).touch();
      if (isLasting) {
        const release = noteOpenSession(stateDirectory(io.environment), session.id);
        session.on("session:closed", release);
      }
    } catch (error) {
      io.error(`haft: ${(error as Error).message}\n`);
    }
  };
  session.on("tool:post", touch);
  session.on("tool:error", touch);
}
