import { totalmem } from "node:os";
import { isInside } from "@haft/contract/internal";
import { childOf } from "../../paths/path-parts.ts";
import type { SandboxContext } from "../sandbox-context.ts";
import { findExecutable } from "./find-executable.ts";
import { findToolchains, type Toolchains } from "./find-toolchains.ts";
import { prepareSandboxFiles, type SandboxFiles } from "./sandbox-files.ts";
import { describeUser, type SandboxUser } from "./sandbox-user.ts";
import {
  baseDirectories,
  showSystem,
  systemDirectories,
  systemPaths,
} from "./system-directories.ts";

/** What sandboxes on this machine have in common. */
export interface Machine {
  readonly place: SandboxContext;
  readonly user: SandboxUser;
  readonly files: SandboxFiles;
  readonly toolchains: Toolchains;
  /** The bubblewrap options that show the system. */
  readonly system: readonly string[];
  /** What runs commands: bash, or `sh` where there is no bash. */
  readonly shell: string;
  /** A smaller shell for what surrounds a command, if there is one: it starts in half the time. */
  readonly dash: string | undefined;
  /** Size limit of a directory in memory. */
  readonly scratchBytes: number;
}

const known = new Map<string, Machine>();

/** Finds out what commands here need, once per context. */
export function describeMachine(place: SandboxContext): Machine {
  const { roots, reads, home, stateDirectory, searchPath, isBare } = place;
  const key = JSON.stringify([roots, reads, home, stateDirectory, searchPath, isBare]);
  const machine = known.get(key) ?? describe(place);
  known.set(key, machine);
  return machine;
}

function describe(place: SandboxContext): Machine {
  const { isBare = false } = place;
  const programs = isBare ? { ...place, searchPath: undefined } : place;
  const bash = findExecutable("bash", programs);
  const user = {
    ...describeUser(findHome(isBare ? undefined : place.home), isBare),
    shell: bash === undefined ? sh : "/bin/bash",
  };
  return {
    place,
    user,
    files: prepareSandboxFiles(place, user),
    toolchains: findToolchains(place),
    system: showSystem(isBare ? baseDirectories : systemDirectories),
    shell: bash ?? sh,
    dash: findExecutable("dash", programs) ?? (bash === undefined ? sh : undefined),
    scratchBytes: Math.min(2 * gigabyte, Math.floor(totalmem() / 8)),
  };
}

const gigabyte = 1024 ** 3;
// By its own name: where it is a link, the program may tell by the name what to be.
const sh = "/bin/sh";

/** Whether a directory belongs to the system or contains it, and must not be given to commands. */
export function isSystemPath(path: string): boolean {
  if (systemPaths.some((system) => isInside(path, system))) return true;
  if (isInside("/dev/shm", path)) return path === "/dev/shm";
  return ["/proc", "/sys", "/dev"].some((kernel) => isInside(kernel, path));
}

// A home that belongs to the system, as some users have, can't be made empty.
function findHome(home: string | undefined): string {
  if (home === undefined || isSystemPath(home)) return "/home/haft";
  return systemPaths.some((system) => isInside(system, home)) ? childOf("/home", "haft") : home;
}
