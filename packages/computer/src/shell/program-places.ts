import { existsSync, realpathSync } from "node:fs";
import { isAbsolute } from "node:path";
import { ToolError } from "@haft/contract";
import { findLanding } from "../disk/landing.ts";
import { childOf, isInside, nameOf, parentOf } from "../paths/path-parts.ts";
import { findToolchains } from "../sandbox/linux/find-toolchains.ts";
import { systemDirectories as systemPlaces } from "../sandbox/linux/system-directories.ts";
import type { SandboxPlace } from "../sandbox/sandbox-place.ts";
import { canRun, findProgram, isForeign, systemDirectories } from "./find-program.ts";
import type { ProgramStart } from "./started-program.ts";
import { widenPlace } from "./widen-place.ts";

/** What a program touches. Paths are where they land. */
export interface ProgramPlaces {
  /** The program in full. */
  readonly program: string;
  readonly cwd: string;
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Where it is confined, which for root knows of every directory that only root can open. */
  readonly place: SandboxPlace;
}

/** Finds a program and the directories that it needs, or says why it can't be run. */
export function findProgramPlaces(start: ProgramStart, place: SandboxPlace): ProgramPlaces {
  const { roots } = place;
  const { program, needed } = explain(locate(start, place), place);
  const seen = [...systemPlaces, ...roots, ...findToolchains(place).directories];
  const own = needed.filter((path) => !seen.some((directory) => isInside(directory, path)));
  const writable = (start.writes ?? roots).map(findLanding);
  const readable = [...new Set([...roots, ...(start.reads ?? []).map(findLanding), ...own])];
  return {
    program,
    cwd: findLanding(start.cwd ?? roots[0] ?? "/"),
    readable,
    writable,
    place: widenPlace(place, { readable, writable }),
  };
}

function locate({ argv: [name], environment }: ProgramStart, place: SandboxPlace): string {
  if (isAbsolute(name)) {
    if (canRun(name)) return name;
    const problem = existsSync(name) ? "is no file that can be run" : "does not exist";
    throw new ToolError("unavailable", `${name} ${problem}. Name a program.`, {
      absolutePath: name,
    });
  }
  const directories = systemDirectories(environment?.PATH ?? place.searchPath);
  const foreign = directories.filter((path) => isForeign(path, place.roots));
  const found = findProgram(name, [
    ...directories.filter((path) => !foreign.includes(path)),
    // Last, and not never as for commands: a person named this program.
    ...foreign,
  ]);
  if (found !== undefined) return found;
  throw new ToolError(
    "unavailable",
    `${name} is not installed, or not on the search path. Install it, or name it with its directory.`,
  );
}

/** A program by the path to run it by, and the directories that it needs: where it is called, and where it lies. */
function explain(
  path: string,
  place: SandboxPlace,
): { readonly program: string; readonly needed: readonly string[] } {
  const landing = realpathSync.native(path);
  const called = findLanding(parentOf(path));
  const lies = parentOf(landing);
  const needed = isWide(lies, place) ? landing : enclosing(lies);
  if (isWide(called, place)) return { program: landing, needed: [needed] };
  return {
    program: childOf(called, nameOf(path)),
    needed: [...new Set([enclosing(called), needed])],
  };
}

// Of these directories a program gets itself alone: everything else is in them as well.
function isWide(directory: string, { home, stateDirectory }: SandboxPlace): boolean {
  const held = [...(home === undefined ? [] : [home]), stateDirectory, "/tmp", "/var/tmp"];
  return held.some((path) => isInside(directory, path));
}

// A script has the rest of its package around it, and a package those that it needs.
function enclosing(directory: string): string {
  const packages = `${directory}/`.lastIndexOf("/node_modules/");
  if (packages >= 0) return directory.slice(0, packages + "/node_modules".length);
  const parent = parentOf(directory);
  const isInstalled =
    nameOf(directory) === "bin" && installed.some((name) => existsSync(childOf(parent, name)));
  return isInstalled ? parent : directory;
}

const installed = ["lib", "libexec", "share", "package.json", "pyvenv.cfg"];
