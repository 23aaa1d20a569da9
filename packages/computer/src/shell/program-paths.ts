import { existsSync, realpathSync } from "node:fs";
import { isAbsolute } from "node:path";
import { ToolError } from "@haft/contract";
import { isInside } from "@haft/contract/internal";
import { findLanding } from "../disk/landing.ts";
import { isExecutableFile, listPathDirectories } from "../paths/find-on-path.ts";
import { isWide } from "../paths/is-wide.ts";
import { childOf, nameOf, parentOf } from "../paths/path-parts.ts";
import { findToolchains } from "../sandbox/linux/find-toolchains.ts";
import {
  baseDirectories,
  emptiedDirectories,
  systemDirectories,
} from "../sandbox/linux/system-directories.ts";
import type { SandboxContext } from "../sandbox/sandbox-context.ts";
import { findProgram, isForeign } from "./find-program.ts";
import type { ProgramStart } from "./started-program.ts";
import { widenContext } from "./widen-context.ts";

/** The files and directories of a program, links resolved. */
export interface ProgramPaths {
  /** The full path of the program. */
  readonly program: string;
  readonly cwd: string;
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly hidden: readonly string[];
  /** The sandbox context; for root it knows every directory that only root can open. */
  readonly place: SandboxContext;
}

/** Finds a program and the directories that it needs, or throws why it can't be run. */
export function findProgramPaths(start: ProgramStart, place: SandboxContext): ProgramPaths {
  const { roots, readOnlyRoots: readOnly = [] } = place;
  const { program, needed } = explain(locate(start, place), place);
  const isSystem = place.isBare ? isBase : isOfSystem;
  const seen = [...roots, ...readOnly, ...findToolchains(place).directories];
  const own = needed.filter(
    (path) => !isSystem(path) && !seen.some((directory) => isInside(directory, path)),
  );
  const isIn = (directories: readonly string[], path: string): boolean =>
    directories.some((directory) => isInside(directory, path));
  const writable = (start.writes ?? roots)
    .map(findLanding)
    .filter((path) => isIn(roots, path) || !isIn(readOnly, path));
  const reads = (start.reads ?? []).map(findLanding);
  const hidden = [
    ...(start.hides ?? []).map(findLanding),
    ...(place.isBare ? emptiedDirectories : []),
  ];
  const beside = place.isBare
    ? outermost(
        reads.filter((path) => !isBase(path)),
        hidden,
      )
    : reads;
  const readable = [...new Set([...roots, ...readOnly, ...beside, ...own])];
  return {
    program,
    cwd: findLanding(start.cwd ?? roots[0] ?? "/"),
    readable,
    writable,
    hidden: hidden.filter((path) => existsSync(path)),
    place: widenContext(place, { readable, writable }),
  };
}

function locate({ argv: [name], environment }: ProgramStart, place: SandboxContext): string {
  if (isAbsolute(name)) {
    if (isExecutableFile(name)) return name;
    const problem = existsSync(name) ? "is not an executable file" : "does not exist";
    throw new ToolError("unavailable", `${name} ${problem}. Name a program.`, {
      absolutePath: name,
    });
  }
  const directories = listPathDirectories(environment?.PATH ?? place.searchPath);
  const inside = [...place.roots, ...(place.reads ?? [])];
  const foreign = directories.filter((path) => isForeign(path, inside));
  const found = findProgram(name, [
    ...directories.filter((path) => !foreign.includes(path)),
    // Searched last, but not skipped as for commands: a person named this program.
    ...foreign,
  ]);
  if (found !== undefined) return found;
  throw new ToolError(
    "unavailable",
    `${name} is not installed or not on the PATH. Install it, or give its full path.`,
  );
}

/** The path to run a program by, and the directories that it needs: of the link and of its target. */
function explain(
  path: string,
  place: SandboxContext,
): { readonly program: string; readonly needed: readonly string[] } {
  const landing = realpathSync.native(path);
  const called = findLanding(parentOf(path));
  if (place.isBare) {
    // Several system programs may be one binary, which looks at the name that it is called by.
    return { program: isBase(called) ? childOf(called, nameOf(path)) : landing, needed: [landing] };
  }
  const lies = parentOf(landing);
  // From a directory that holds everything else as well, a program gets only itself.
  const needed = isWide(lies, place) ? landing : enclosing(lies);
  if (isWide(called, place)) return { program: landing, needed: [needed] };
  return {
    program: childOf(called, nameOf(path)),
    needed: [...new Set([enclosing(called), needed])],
  };
}

/** Leaves out directories inside another of them, unless they are hidden there. */
function outermost(paths: readonly string[], hidden: readonly string[]): readonly string[] {
  const isHidden = (path: string): boolean => hidden.some((each) => isInside(each, path));
  const isHeld = (path: string): boolean =>
    paths.some((other) => other !== path && isInside(other, path));
  return paths.filter((path) => isHidden(path) || !isHeld(path));
}

function isBase(path: string): boolean {
  const holds = (directory: string): boolean => isInside(directory, path);
  return baseDirectories.some(holds) && !emptiedDirectories.some(holds);
}

function isOfSystem(path: string): boolean {
  return systemDirectories.some((directory) => isInside(directory, path));
}

// A script needs the rest of its package, and a package its dependencies.
function enclosing(directory: string): string {
  const packages = `${directory}/`.lastIndexOf("/node_modules/");
  if (packages >= 0) return directory.slice(0, packages + "/node_modules".length);
  const parent = parentOf(directory);
  const isInstalled =
    nameOf(directory) === "bin" && installed.some((name) => existsSync(childOf(parent, name)));
  return isInstalled ? parent : directory;
}

const installed = ["lib", "libexec", "share", "package.json", "pyvenv.cfg"];
