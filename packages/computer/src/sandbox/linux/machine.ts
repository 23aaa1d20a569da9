import { totalmem } from "node:os";
import { childOf, isInside } from "../../paths/path-parts.ts";
import type { SandboxPlace } from "../sandbox-place.ts";
import { findExecutable } from "./find-executable.ts";
import { findToolchains, type Toolchains } from "./find-toolchains.ts";
import { prepareSandboxFiles, type SandboxFiles } from "./sandbox-files.ts";
import { describeUser, type SandboxUser } from "./sandbox-user.ts";
import { showSystem, systemPlaces } from "./system-directories.ts";

/** What sandboxes on this machine have in common. */
export interface Machine {
  readonly place: SandboxPlace;
  readonly user: SandboxUser;
  readonly files: SandboxFiles;
  readonly toolchains: Toolchains;
  /** The options that show the system. */
  readonly system: readonly string[];
  readonly bash: string | undefined;
  /** A smaller shell, where there is one: it starts in half the time. */
  readonly dash: string | undefined;
  /** How much a directory in memory may hold. */
  readonly scratchBytes: number;
}

const known = new Map<string, Machine>();

/** Finds out what commands here need, once for each place. */
export function describeMachine(place: SandboxPlace): Machine {
  const { roots, reads, home, stateDirectory, searchPath } = place;
  const key = JSON.stringify([roots, reads, home, stateDirectory, searchPath]);
  const machine = known.get(key) ?? describe(place);
  known.set(key, machine);
  return machine;
}

function describe(place: SandboxPlace): Machine {
  const user = describeUser(findHome(place.home));
  return {
    place,
    user,
    files: prepareSandboxFiles(place.stateDirectory, user),
    toolchains: findToolchains(place),
    system: showSystem(),
    bash: findExecutable("bash", place),
    dash: findExecutable("dash", place),
    scratchBytes: Math.min(2 * gigabyte, Math.floor(totalmem() / 8)),
  };
}

const gigabyte = 1024 ** 3;

/** Whether a directory holds the system or a part of it, and so is nothing to hand to commands. */
export function isSystemPlace(path: string): boolean {
  if (systemPlaces.some((system) => isInside(path, system))) return true;
  if (isInside("/dev/shm", path)) return path === "/dev/shm";
  return ["/proc", "/sys", "/dev"].some((kernel) => isInside(kernel, path));
}

// A home that is the system's own, as some users have, can't be made empty.
function findHome(home: string | undefined): string {
  if (home === undefined || isSystemPlace(home)) return "/home/haft";
  return systemPlaces.some((system) => isInside(system, home)) ? childOf("/home", "haft") : home;
}
