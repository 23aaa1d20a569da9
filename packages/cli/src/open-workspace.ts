import { join, resolve } from "node:path";
import {
  createDiskComputer,
  type DiskComputer,
  openSqliteRecorder,
  type SqliteRecorder,
  stateDirectory,
} from "@haft/computer";
import {
  createMemoryRecorder,
  createRegistry,
  createSession,
  type Host,
  headlessHost,
  type Recorder,
  type Session,
} from "@haft/core";
import { builtinTools } from "@haft/tools";
import type { Io } from "./io.ts";
import type { CommonOptions } from "./options/common-options.ts";
import { approvingHost, createTerminalHost } from "./terminal/terminal-host.ts";
import { UsageError } from "./usage-error.ts";

/** A workspace with its tools, ready for sessions. */
export interface Workspace {
  readonly computer: DiskComputer;
  /** Opens the session that the options name, with this host or the one that fits the options. */
  openSession(host?: Host): Session;
  /** Brings everything recorded to disk. */
  close(): Promise<void>;
}

/** Opens the workspace that the options name. */
export async function openWorkspace(options: CommonOptions, io: Io): Promise<Workspace> {
  const computer = openComputer(options, io);
  const recorder = await recordOrWarn(io);
  return {
    computer,
    openSession: (host = chooseHost(options, io)) => {
      const session = createSession({
        registry: createRegistry(builtinTools),
        computer,
        recorder,
        host,
        name: options.session,
        dialect: options.dialect,
        rules: options.rules,
      });
      session.on("session:warning", ({ message }) => io.error(`haft: ${message}\n`));
      listOnceUsed(session, computer, io);
      return session;
    },
    close: () => recorder.close(),
  };
}

/** The computer of the workspace that the options name. */
export function openComputer(options: CommonOptions, io: Io): DiskComputer {
  try {
    const workspace = resolve(io.directory, options.workspace);
    const computer = createDiskComputer({
      workspace,
      stateDirectory: stateDirectory(io.environment),
    });
    // Checks the name before anything runs under it.
    computer.openSession(options.session);
    return computer;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** What was recorded on this machine. */
export function openRecorder(io: Io): Promise<SqliteRecorder> {
  return openSqliteRecorder(join(stateDirectory(io.environment), "recordings.db"), {
    onError: (error) => io.error(`haft: ${error.message}\n`),
  });
}

// A call is worth more than its record: where none can be kept, that is said and the call goes on.
async function recordOrWarn(io: Io): Promise<Recorder> {
  try {
    return await openRecorder(io);
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

function chooseHost(options: CommonOptions, io: Io): Host {
  if (options.yes) return approvingHost;
  return options.headless ? headlessHost : createTerminalHost(io);
}
