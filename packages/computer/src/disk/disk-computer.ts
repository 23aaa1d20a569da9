import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isInside } from "@haft/contract/internal";
import type { CommandReading, Computer, FileRules, RunScope } from "@haft/core";
import { joinFileRules } from "@haft/core/internal";
import { createCommandReader } from "../commands/command-reader.ts";
import type { LayeredComputer, LayerScope } from "../layered-computer/layered-computer.ts";
import { createFileHolds } from "../locks/hold-files.ts";
import { type AllowedHost, parseAllowedHost } from "../net/allowed-host.ts";
import { openDiskNet } from "../net/disk-net.ts";
import { findOnPath } from "../paths/find-on-path.ts";
import { findRepositories } from "../paths/find-repository.ts";
import { createPathPolicies } from "../paths/path-policy.ts";
import { type PathAlias, type PathOrigin, resolvePath } from "../paths/resolve-path.ts";
import { isSecretPath } from "../paths/secret-path.ts";
import { findExecutable } from "../sandbox/linux/find-executable.ts";
import { createDiskSearch } from "../search/disk-search.ts";
import { type DiskSession, openDiskSession } from "../session/disk-session.ts";
import { locateSession } from "../session/session-directory.ts";
import { stateDirectory } from "../session/state-directory.ts";
import { createComputerShell } from "../shell/computer-shell.ts";
import type { Confinement, SandboxMode } from "../shell/confine-run.ts";
import type { SandboxExamination } from "../shell/examine-sandbox.ts";
import type { ProgramStart, StartedProgram } from "../shell/started-program.ts";
import { openProjectTrust, type ProjectTrust } from "../trust/project-trust.ts";
import type { DiskComputerOptions } from "./disk-computer-options.ts";
import { openDiskFiles } from "./disk-files.ts";
import { versionOf } from "./file-version.ts";
import { judgeUse } from "./judge-use.ts";
import { findLanding } from "./landing.ts";
import type { Pinning } from "./pin.ts";
import { portablePinning } from "./portable-pinning.ts";
import { canPinThroughProc, procPinning } from "./proc-pinning.ts";

export type { DiskComputerOptions, SandboxMode };

/** This machine, as tools see it. */
export interface DiskComputer extends Computer {
  openSession(name: string): DiskSession;
  /** Which of the workspace's own files a person has trusted. */
  readonly trust: ProjectTrust;
  /** Tests the sandbox, whether or not programs are to use it. */
  examineSandbox(): Promise<SandboxExamination>;
  /**
   * Starts a program to communicate with while it runs. Throws `unavailable` if there is no such
   * program, or no sandbox although one is required.
   */
  startProgram(start: ProgramStart): Promise<StartedProgram>;
  /**
   * Opens a computer that works on a layer over the workspace. Its changes reach the workspace when they
   * are applied. Throws `unavailable` with the reason and the remedy where there are no layers.
   */
  openLayered(scope: LayerScope): Promise<LayeredComputer>;
}

/**
 * Makes this machine's files and programs, and sessions on its disk, available to tools. Programs run
 * in a sandbox where there is one.
 *
 * @example
 * ```ts
 * import { createDiskComputer } from "@haft/computer";
 *
 * const computer = createDiskComputer({ workspace: process.cwd(), sandbox: "required" });
 * const { isolation, detail } = await computer.examineSandbox();
 * console.log(isolation, detail);
 * ```
 */
export function createDiskComputer(options: DiskComputerOptions): DiskComputer {
  return assembleDiskComputer(options, choosePinning());
}

/**
 * Creates a computer for a process that sees a layer over the workspace. What it stores goes to a
 * directory that is removed with the layer.
 */
export function createComputerOnLayer(
  options: DiskComputerOptions,
  directory: string,
): DiskComputer {
  return assembleDiskComputer(options, choosePinning(), directory);
}

/**
 * Like `createDiskComputer`, with a given way of pinning paths, and optionally with another directory
 * for what it stores.
 */
export function assembleDiskComputer(
  options: DiskComputerOptions,
  pinning: Pinning,
  storage?: string,
): DiskComputer {
  const given = (
    typeof options.workspace === "string" ? [options.workspace] : options.workspace
  ).map(fromHere);
  const writable = [...new Set(given.map(findRoot))];
  const givenReadOnly = (options.readOnlyRoots ?? []).map(fromHere);
  const readOnly = [...new Set(givenReadOnly.map(findRoot))].filter(
    (path) => !writable.some((root) => isInside(root, path)),
  );
  const roots = [...writable, ...readOnly];
  const [base] = writable;
  if (base === undefined) {
    throw new TypeError("The computer has no workspace. Give at least one directory.");
  }
  const givenHome = fromHere(options.home ?? homedir());
  const origin: PathOrigin = {
    base,
    home: findLanding(givenHome),
    aliases: findAliases([givenHome, ...given, ...givenReadOnly]),
  };
  const state = findLanding(fromHere(options.stateDirectory ?? stateDirectory(process.env)));
  const stored = storage ?? state;
  const flush = options.flush ?? true;
  const allowedHosts = (options.allowHosts ?? []).map(parseAllowedHost);
  const toolHosts = (options.toolHosts ?? []).map(parseAllowedHost);
  const reader = createCommandReader({ roots, writable, home: origin.home });
  const policyFor = createPathPolicies({ roots, stateDirectory: state });
  const search = createDiskSearch(pinning, roots);
  const resolve = (path: string): string => resolvePath(path, origin);
  const identify = (path: string): string => findLanding(resolve(path));
  const hasBash = createBashCheck(roots);
  const readCommand = (command: string, cwd: string): CommandReading =>
    hasBash() ? reader.read(command, resolve(cwd)) : reader.leaveUnread(command, noBash);
  const sessions = { root: base, stateDirectory: stored };
  const trust = openProjectTrust({ ...sessions, trustsAll: options.trustProject ?? false });
  const locks = join(stored, "locks");
  const wide = { home: origin.home, stateDirectory: state };
  const isConfined = options.sandbox !== "off" && !options.isBare;
  const repositories = isConfined ? findRepositories(writable, wide) : [];
  const place = {
    roots: writable,
    readOnlyRoots: readOnly,
    reads: [...readOnly, ...repositories],
    home: origin.home,
    stateDirectory: state,
    searchPath: process.env.PATH,
    ...(options.isBare && { isBare: true }),
  };
  const confinement: Confinement = { mode: options.sandbox ?? "auto", place, allowedHosts };
  const layers = { stateDirectory: stored, pinning, flush };
  const shell = createComputerShell({
    roots,
    repositories,
    resolve,
    readCommand,
    confinement,
    passVariables: options.passVariables ?? [],
    layers,
    ...(options.keepJobs && {
      locateJobs: (session) => ({ ...locateSession(session, sessions), locks }),
    }),
  });

  const followed = new Set<() => FileRules | undefined>();
  const hostsOf = ({ grant }: RunScope): AllowedHost[] => {
    const own = toolHosts.filter(({ host }) => grant.places.hosts.includes(host));
    return [...allowedHosts, ...own];
  };

  const computer: DiskComputer = {
    space: thisMachine,
    roots,
    home: origin.home,
    variables: {
      workspace: roots,
      repository: repositories,
      "read-only": readOnly,
      "ad-hoc": (options.adHoc ?? []).map(identify),
      "user-data": (options.userData ?? []).map(identify),
      "allowed-hosts": allowedHosts.map(({ host }) => host),
    },
    isolation: "capability",
    resolve,
    identify,
    versionOf: (path) => findVersion(resolve(path)),
    openFiles: (scope) => {
      const policy = policyFor(scope);
      const followed = search.follow(scope);
      return openDiskFiles(resolve, { scope: followed, policy, pinning, roots, search, flush });
    },
    openShell: (scope) => shell.open(scope),
    openNet: (scope) => openDiskNet(scope, { allowedHosts: hostsOf(scope) }),
    judgeUse: async (use, scope) => {
      const net = { grant: scope.grant, allowedHosts: hostsOf(scope) };
      return judgeUse(use, scope, { policy: policyFor(scope), net, shell });
    },
    prepareShell: () => whenBoth(reader.prepare(), shell.prepare()),
    get shellIsolation() {
      return shell.isolation;
    },
    canReview: (session) => shell.canReview(session),
    examineSandbox: async () => (await import("../shell/examine-sandbox.ts")).examineSandbox(place),
    startProgram: async (start) =>
      (await import("../shell/start-program.ts")).startProgram(start, {
        ...confinement,
        fileRules: joinFileRules([...followed].map((current) => current())),
      }),
    followRules: (current) => {
      followed.add(current);
      return () => followed.delete(current);
    },
    readCommand,
    isSecret: isSecretPath,
    secrets: shell.secrets,
    holdFiles: createFileHolds(locks),
    trust,
    openSession: (name) =>
      openDiskSession(name, {
        ...sessions,
        trust,
        pinning,
        flush,
        onClose: () => shell.endJobs(name),
      }),
    openLayered: async (scope) => {
      const { openLayeredComputer } = await import("../layered-computer/open-layered-computer.ts");
      const own = {
        workspace: given,
        readOnlyRoots: readOnly,
        home: givenHome,
        stateDirectory: state,
      };
      return openLayeredComputer(scope, {
        computer,
        options: { ...options, ...own, keepJobs: false, flush: false },
        confinement,
        layers,
      });
    },
  };
  return computer;
}

// A command is read as bash reads it. Another shell may take quoted text for a command.
const noBash = "bash is not installed, and sh reads some commands in another way";

// Looking along the PATH takes longer than reading a command.
const bashCheckMs = 1_000;

// Without a sandbox any bash on the PATH runs commands, in a sandbox none of the workspace's own.
function createBashCheck(roots: readonly string[]): () => boolean {
  let last: { readonly searchPath: string | undefined; readonly at: number } | undefined;
  let isFound = false;
  return () => {
    const searchPath = process.env.PATH;
    if (last?.searchPath === searchPath && performance.now() < (last?.at ?? 0) + bashCheckMs) {
      return isFound;
    }
    isFound =
      findOnPath("bash", searchPath) !== undefined &&
      findExecutable("bash", { searchPath, roots }) !== undefined;
    last = { searchPath, at: performance.now() };
    return isFound;
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

// So that paths in the user's own spelling of a directory are recognized as paths in it. The
// longest comes first, being the most specific.
function findAliases(given: readonly string[]): readonly PathAlias[] {
  return given
    .map((from): PathAlias => ({ from, to: findLanding(from) }))
    .filter(({ from, to }) => from !== to)
    .sort((a, b) => b.from.length - a.from.length);
}

function findRoot(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    throw new Error(`The workspace ${path} does not exist. Create it, or name another directory.`);
  }
  if (!found.isDirectory()) {
    throw new Error(
      `The workspace ${path} is not a directory. Name the directory that contains it.`,
    );
  }
  return realpathSync.native(path);
}

function findVersion(path: string): string | undefined {
  try {
    const stats = statSync(path, { bigint: true });
    return stats.isFile() ? versionOf(stats) : undefined;
  } catch {
    return undefined;
  }
}
