import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Computer } from "@haft/core";
import { createFileHolds } from "../locks/hold-files.ts";
import { createPathPolicies } from "../paths/path-policy.ts";
import { type PathAlias, type PathOrigin, resolvePath } from "../paths/resolve-path.ts";
import { createDiskSearch } from "../search/disk-search.ts";
import { type DiskSession, openDiskSession } from "../session/disk-session.ts";
import { stateDirectory } from "../session/state-directory.ts";
import { openDiskShell } from "../shell/disk-shell.ts";
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
}

/** This machine, as tools see it. */
export interface DiskComputer extends Computer {
  openSession(name: string): DiskSession;
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
  const policyFor = createPathPolicies({ roots, stateDirectory: state });
  const search = createDiskSearch(pinning, roots);
  const resolve = (path: string): string => resolvePath(path, origin);
  const identify = (path: string): string => findLanding(resolve(path));

  return {
    space: thisMachine,
    roots,
    home: origin.home,
    variables: {
      workspace: roots,
      "ad-hoc": (options.adHoc ?? []).map(identify),
      "user-data": (options.userData ?? []).map(identify),
    },
    isolation: "capability",
    resolve,
    identify,
    openFiles: (scope) => {
      const policy = policyFor(scope);
      const followed = search.follow(scope);
      return openDiskFiles(resolve, { scope: followed, policy, pinning, roots, search, flush });
    },
    openShell: (scope) => openDiskShell(scope, { roots, resolve }),
    holdFiles: createFileHolds(join(state, "locks")),
    openSession: (name) =>
      openDiskSession(name, { root: base, stateDirectory: state, pinning, flush }),
  };
}

// All computers on this machine see the same files.
const thisMachine = Object.freeze({});

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
