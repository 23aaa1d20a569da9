import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { SessionDifference } from "@haft/agent";
import { type AgentServices, createAgentServices } from "@haft/agent/services";
import {
  createDiskComputer,
  createExecutableWatchdog,
  type DiskComputer,
  openSqliteRecorder,
  type SqliteRecorder,
  type SqliteRecorderOptions,
  stateDirectory,
} from "@haft/computer";
import {
  combineWatchdogs,
  createMemoryRecorder,
  createSession,
  createWatchdog,
  type Dialect,
  type Host,
  headlessHost,
  type Recorder,
  type Registry,
  type Rule,
  type Session,
} from "@haft/core";
import { homeOf, type Io } from "./io.ts";
import { findToolHosts, findToolSecrets } from "./options/choose-tools.ts";
import type { CommonOptions } from "./options/common-options.ts";
import { type OpenTools, openTools, type ToolOffer } from "./sources/open-tools.ts";
import { describeConfinement } from "./terminal/describe-confinement.ts";
import { approvingHost, createTerminalHost } from "./terminal/terminal-host.ts";
import { UsageError } from "./usage-error.ts";

/** A workspace with its tools, ready for sessions. */
export interface Workspace {
  readonly computer: DiskComputer;
  readonly recorder: Recorder;
  /** Agents, and what they bring. */
  readonly agents: AgentServices;
  /** Whoever is asked, as the options say. */
  readonly host: Host;
  /** Opens the session that the options name; what is not chosen is as the options say. */
  openSession(choice?: SessionChoice): Session;
  /** Ends what brought tools, and brings everything recorded to disk. */
  close(): Promise<void>;
}

/** What a session is to have other than the options say. */
export interface SessionChoice extends SessionDifference {
  readonly rules?: readonly Rule[];
  readonly dialect?: Dialect;
  readonly watchdog?: "off";
}

/** How a command uses a workspace. */
export interface WorkspaceUse {
  /**
   * Whether the command stays and serves others. Then jobs end with it instead of going on until
   * their session is closed, and calls need not wait until the one before is recorded.
   */
  readonly serves?: boolean;
  /** Whether calls are made; true unless said. Without, what is recorded is only looked at. */
  readonly makesCalls?: boolean;
  /** Whether tools are shown to somebody: then they tell of the agents that there are. */
  readonly shows?: boolean;
  /** The model of the agents, where one of ours works here. */
  readonly agent?: { readonly model: string | undefined; readonly baseUrl: string | undefined };
  /** Has files and commands go another way. */
  delegate?(computer: DiskComputer): DiskComputer;
  /** Directories that belong to the workspace beside the one that the options name. */
  readonly moreRoots?: readonly string[];
  /** Where tools come from beside what the options name. */
  openMore?: ToolOffer["openMore"];
}

const gatherMs = 100;

/** Opens the workspace that the options name. */
export async function openWorkspace(
  options: CommonOptions,
  io: Io,
  {
    serves = false,
    makesCalls = true,
    shows = serves,
    moreRoots,
    agent,
    delegate,
    openMore,
  }: WorkspaceUse = {},
): Promise<Workspace> {
  const local = openComputer(options, io, { serves, ...(moreRoots && { moreRoots }) });
  const computer = delegate?.(local) ?? local;
  const isRecorded = makesCalls || existsSync(recordingOf(io));
  const recorder = isRecorded
    ? await recordOrWarn(io, serves ? { gatherMs } : {})
    : createMemoryRecorder();
  const agents = createAgentServices({
    computer,
    openSession: (difference) => openSession(difference),
    stateDirectory: stateDirectory(io.environment),
    home: homeOf(io),
    environment: io.environment,
    hasAgent: agent !== undefined,
    advertisesSkills: shows && agent === undefined,
    graph: () => tools.graph,
    model: agent?.model,
    baseUrl: agent?.baseUrl,
    warn: (message) => io.error(`haft: ${message}\n`),
  });
  if (shows) await agents.load();
  const tools: OpenTools = await openTools(options, io, {
    computer,
    agentTools: agents.tools,
    ...(openMore && { openMore }),
  });
  const { registry } = tools;
  const host = chooseHost(options, io, { computer, registry });
  const own = createWatchdog();
  const watchdog =
    options.watchdog === undefined
      ? own
      : combineWatchdogs(own, createExecutableWatchdog(options.watchdog));
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
      secrets: findToolSecrets(io),
      ...choice,
    });
    session.on("session:warning", ({ message }) => io.error(`haft: ${message}\n`));
    listOnceUsed(session, computer, io);
    tools.attach(session);
    // An agent of ours follows by itself, with the rest of its role.
    if (agent === undefined) tools.graph?.follow(session);
    agents.adopt(session, choice.host ?? host);
    return session;
  };
  return {
    computer,
    recorder,
    agents,
    host,
    openSession,
    close: async () => {
      await agents.close();
      await tools.close();
      await recorder.close();
    },
  };
}

/** The computer of the workspace that the options name. */
export function openComputer(
  options: CommonOptions,
  io: Io,
  { serves = false, moreRoots = [] }: Pick<WorkspaceUse, "serves" | "moreRoots"> = {},
): DiskComputer {
  try {
    const computer = createDiskComputer({
      workspace: [options.workspace, ...moreRoots].map((root) => resolve(io.directory, root)),
      stateDirectory: stateDirectory(io.environment),
      sandbox: options.sandbox,
      allowHosts: options.allowHosts,
      toolHosts: findToolHosts(io),
      passVariables: options.passVariables,
      keepJobs: !serves,
    });
    // Checks the name before anything runs under it.
    computer.openSession(options.session);
    return computer;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** What was recorded on this machine. */
export function openRecorder(
  io: Io,
  options: Pick<SqliteRecorderOptions, "gatherMs"> = {},
): Promise<SqliteRecorder> {
  return openSqliteRecorder(recordingOf(io), {
    ...options,
    onError: (error) => io.error(`haft: ${error.message}\n`),
  });
}

function recordingOf(io: Io): string {
  return join(stateDirectory(io.environment), "recordings.db");
}

// A call is worth more than its record: where none can be kept, that is said and the call goes on.
async function recordOrWarn(
  io: Io,
  options: Pick<SqliteRecorderOptions, "gatherMs">,
): Promise<Recorder> {
  try {
    return await openRecorder(io, options);
  } catch (error) {
    io.error(`haft: this call will not be recorded: ${(error as Error).message}\n`);
    return createMemoryRecorder();
  }
}

// A session is listed from its first call on, also if that stored nothing but its record.
function listOnceUsed(session: Session, computer: DiskComputer, io: Io): void {
  let listed = false;
  const touch = (): void => {
    if (listed) return;
    listed = true;
    try {
      computer.openSession(session.name).touch();
    } catch (error) {
      io.error(`haft: ${(error as Error).message}\n`);
    }
  };
  session.on("tool:post", touch);
  session.on("tool:error", touch);
}

function chooseHost(
  options: CommonOptions,
  io: Io,
  place: { readonly computer: DiskComputer; readonly registry: Registry },
): Host {
  if (options.yes) return approvingHost;
  if (options.headless) return headlessHost;
  return createTerminalHost(io, (tool) => describeConfinement(tool, place));
}
