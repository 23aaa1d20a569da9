import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
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
import type { Io } from "./io.ts";
import { findToolHosts, findToolSecrets } from "./options/choose-tools.ts";
import type { CommonOptions } from "./options/common-options.ts";
import { openTools } from "./sources/open-tools.ts";
import { describeConfinement } from "./terminal/describe-confinement.ts";
import { approvingHost, createTerminalHost } from "./terminal/terminal-host.ts";
import { UsageError } from "./usage-error.ts";

/** A workspace with its tools, ready for sessions. */
export interface Workspace {
  readonly computer: DiskComputer;
  readonly recorder: Recorder;
  /** Opens the session that the options name; what is not chosen is as the options say. */
  openSession(choice?: SessionChoice): Session;
  /** Ends what brought tools, and brings everything recorded to disk. */
  close(): Promise<void>;
}

/** What a session is to have other than the options say. */
export interface SessionChoice {
  readonly host?: Host;
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
}

const gatherMs = 100;

/** Opens the workspace that the options name. */
export async function openWorkspace(
  options: CommonOptions,
  io: Io,
  { serves = false, makesCalls = true }: WorkspaceUse = {},
): Promise<Workspace> {
  const computer = openComputer(options, io, { serves });
  const isRecorded = makesCalls || existsSync(recordingOf(io));
  const recorder = isRecorded
    ? await recordOrWarn(io, serves ? { gatherMs } : {})
    : createMemoryRecorder();
  const tools = await openTools(options, io, computer);
  const { registry } = tools;
  const own = createWatchdog();
  const watchdog =
    options.watchdog === undefined
      ? own
      : combineWatchdogs(own, createExecutableWatchdog(options.watchdog));
  return {
    computer,
    recorder,
    openSession: (choice = {}) => {
      const session = createSession({
        registry,
        computer,
        recorder,
        host: choice.host ?? chooseHost(options, io, { computer, registry }),
        name: options.session,
        dialect: choice.dialect ?? options.dialect,
        rules: choice.rules ?? options.rules,
        watchdog: choice.watchdog ?? watchdog,
        secrets: findToolSecrets(io),
      });
      session.on("session:warning", ({ message }) => io.error(`haft: ${message}\n`));
      listOnceUsed(session, computer, io);
      tools.attach(session);
      return session;
    },
    close: async () => {
      await tools.close();
      await recorder.close();
    },
  };
}

/** The computer of the workspace that the options name. */
export function openComputer(
  options: CommonOptions,
  io: Io,
  { serves = false }: Pick<WorkspaceUse, "serves"> = {},
): DiskComputer {
  try {
    const computer = createDiskComputer({
      workspace: resolve(io.directory, options.workspace),
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
