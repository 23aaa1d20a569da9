import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { CommandReading, Computer } from "@haft/core";
import { createCommandReader } from "../commands/command-reader.ts";
import { createFileHolds } from "../locks/hold-files.ts";
import { parseAllowedHost } from "../net/allowed-host.ts";
import { openDiskNet } from "../net/disk-net.ts";
import { createPathPolicies } from "../paths/path-policy.ts";
import { type PathAlias, type PathOrigin, resolvePath } from "../paths/resolve-path.ts";
import { isSecretPath } from "../paths/secret-path.ts";
import { createDiskSearch } from "../search/disk-search.ts";
import { type DiskSession, openDiskSession } from "../session/disk-session.ts";
import { locateSession } from "../session/session-directory.ts";
import { stateDirectory } from "../session/state-directory.ts";
import { createComputerShell } from "../shell/computer-shell.ts";
import type { SandboxMode } from "../shell/confine-run.ts";
import type { SandboxExamination } from "../shell/examine-sandbox.ts";
import type { ProgramStart, StartedProgram } from "../shell/started-program.ts";
import { openDiskFiles } from "./disk-files.ts";
import { findLanding } from "./landing.ts";
import type { Pinning } from "./pin.ts";
import { portablePinning } from "./portable-pinning.ts";
import { canPinThroughProc, procPinning } from "./proc-pinning.ts";

/** What a computer on this machine is made of. */
export interface DiskComputerOptions {
  /** The directory to work in, or several; relative paths start at the first. */
  readonly workspace: string | readonly string[];
  /** Where sessions are kept; see `stateDirectory` for the default. */
  readonly stateDirectory?: string;
  /** What `~` stands for; the user's home unless said. */
  readonly home?: string;
  /** What `{user-data}` stands for in requirement sets. */
  readonly userData?: readonly string[];
  /** What `{ad-hoc}` stands for in requirement sets. */
  readonly adHoc?: readonly string[];
  /**
   * Whether a change waits until the disk has it; true unless said. Without it a process that is
   * killed still harms nothing, but a power failure may.
   */
  readonly flush?: boolean;
  /**
   * Whether programs run in a sandbox: only there, there where it can be had, or never. `auto`
   * unless said; every result tells what it was.
   */
  readonly sandbox?: SandboxMode;
  /** Hosts that tools may reach beside public ones, and commands at all: `HOST` or `HOST:PORT`. */
  readonly allowHosts?: readonly string[];
  /** Hosts, private ones too, for those tools that require them by name; commands don't get them. */
  readonly toolHosts?: readonly string[];
  /** Variables of this process's environment that commands get though their names tell of secrets. */
  readonly passVariables?: readonly string[];
  /**
   * Whether jobs outlive this process until their session is closed; false unless said. Then they
   * end with the process.
   */
  readonly keepJobs?: boolean;
}

export type { SandboxMode };

/** This machine, as tools see it. */
export interface DiskComputer extends Computer {
  openSession(name: string): DiskSession;
  /** Tries out what confines programs, whether or not they are to be confined. */
  examineSandbox(): Promise<SandboxExamination>;
  /**
   * Starts a program that goes on while somebody talks with it. Throws `unavailable` if there is no
   * such program, or no sandbox though one is required.
   */
  startProgram(start: ProgramStart): Promise<StartedProgram>;
}

/** Makes this machine's files, and sessions on its disk, available to tools. */
export function createDiskComputer(options: DiskComputerOptions): DiskComputer {
  return assembleDiskComputer(options, choosePinning());
}

/** The same on a given way of pinning paths. */
export function assembleDiskComputer(options: DiskComputerOptions, pinning: Pinning): DiskComputer {
  const given = (
    typeof options.workspace === "string" ? [options.workspace] : options.workspace
  ).map(fromHere);
  const roots = [...new Set(given.map(findRoot))];
  const [base] = roots;
  if (base === undefined) {
    throw new TypeError("The computer has no workspace. Give at least one directory.");
  }
  const givenHome = fromHere(options.home ?? homedir());
  const origin: PathOrigin = {
    base,
    home: findLanding(givenHome),
    aliases: findAliases([givenHome, ...given]),
  };
  const state = findLanding(fromHere(options.stateDirectory ?? stateDirectory(process.env)));
  const flush = options.flush ?? true;
  const allowedHosts = (options.allowHosts ?? []).map(parseAllowedHost);
  const toolHosts = (options.toolHosts ?? []).map(parseAllowedHost);
  const reader = createCommandReader({ roots, home: origin.home });
  const policyFor = createPathPolicies({ roots, stateDirectory: state });
  const search = createDiskSearch(pinning, roots);
  const resolve = (path: string): string => resolvePath(path, origin);
  const identify = (path: string): string => findLanding(resolve(path));
  const readCommand = (command: string, cwd: string): CommandReading =>
    reader.read(command, resolve(cwd));
  const sessions = { root: base, stateDirectory: state };
  const locks = join(state, "locks");
  const place = {
    roots,
    home: origin.home,
    stateDirectory: state,
    searchPath: process.env.PATH,
  };
  const confinement = { mode: options.sandbox ?? "auto", place, allowedHosts };
  const shell = createComputerShell({
    roots,
    resolve,
    readCommand,
    confinement,
    passVariables: options.passVariables ?? [],
    ...(options.keepJobs && {
      locateJobs: (session) => ({ ...locateSession(session, sessions), locks }),
    }),
  });

  return {
    space: thisMachine,
    roots,
    home: origin.home,
    variables: {
      workspace: roots,
      "ad-hoc": (options.adHoc ?? []).map(identify),
      "user-data": (options.userData ?? []).map(identify),
      "allowed-hosts": allowedHosts.map(({ host }) => host),
    },
    isolation: "capability",
    resolve,
    identify,
    openFiles: (scope) => {
      const policy = policyFor(scope);
      const followed = search.follow(scope);
      return openDiskFiles(resolve, { scope: followed, policy, pinning, roots, search, flush });
    },
    openShell: (scope) => shell.open(scope),
    openNet: (scope) => {
      const own = toolHosts.filter(({ host }) => scope.grant.places.hosts.includes(host));
      return openDiskNet(scope, { allowedHosts: [...allowedHosts, ...own] });
    },
    prepareShell: () => whenBoth(reader.prepare(), shell.prepare()),
    get shellIsolation() {
      return shell.isolation;
    },
    examineSandbox: async () => (await import("../shell/examine-sandbox.ts")).examineSandbox(place),
    startProgram: async (start) =>
      (await import("../shell/start-program.ts")).startProgram(start, confinement),
    readCommand,
    isSecret: isSecretPath,
    secrets: shell.secrets,
    holdFiles: createFileHolds(locks),
    openSession: (name) =>
      openDiskSession(name, {
        ...sessions,
        pinning,
        flush,
        onClose: () => shell.endJobs(name),
      }),
  };
}

// All computers on this machine see the same files.
const thisMachine = Object.freeze({});

function whenBoth(
  first: undefined | Promise<void>,
  second: undefined | Promise<void>,
): undefined | Promise<void> {
  if (first === undefined || second === undefined) return first ?? second;
  return Promise.all([first, second]).then(() => {});
}

let chosen: Pinning | undefined;

function choosePinning(): Pinning {
  chosen ??= canPinThroughProc() ? procPinning : portablePinning;
  return chosen;
}

function fromHere(path: string): string {
  return resolvePath(path, { base: process.cwd(), home: homedir() });
}

// So that paths in the user's own spelling of a directory are known as paths in the directory. The
// longest goes first: it is the most specific.
function findAliases(given: readonly string[]): readonly PathAlias[] {
  return given
    .map((from): PathAlias => ({ from, to: findLanding(from) }))
    .filter(({ from, to }) => from !== to)
    .sort((a, b) => b.from.length - a.from.length);
}

function findRoot(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    throw new Error(`The workspace ${path} does not exist. Make it, or name another directory.`);
  }
  if (!found.isDirectory()) {
    throw new Error(`The workspace ${path} is not a directory. Name the directory that holds it.`);
  }
  return realpathSync.native(path);
}
