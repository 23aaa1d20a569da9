import { accessSync, constants, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { ScriptFault, ToolboxScript } from "./toolbox-script.ts";

/** What scripts must not reach out of, or open up. */
export interface ScriptPlace {
  readonly roots: readonly string[];
  readonly home: string | undefined;
}

/** What is in toolbox directories, in the order in which it counts. */
export function listScripts(
  directories: readonly string[],
  place: ScriptPlace,
): readonly (ToolboxScript | ScriptFault)[] {
  const seen = new Set<string>();
  return directories.flatMap((directory) => {
    const names = readNames(directory);
    if (typeof names === "string") return [{ path: directory, fault: names }];
    return names
      .map((name) => join(directory, name))
      .filter((path) => !seen.has(path) && seen.add(path))
      .map((path) => examineScript(path, place));
  });
}

/** Finds out whether there is something at a path that can be run. */
export function examineScript(path: string, place: ScriptPlace): ToolboxScript | ScriptFault {
  try {
    const file = realpathSync.native(path);
    const isIn = (where: string): boolean => place.roots.some((root) => isInside(root, where));
    const isForeign = isIn(realpathSync.native(dirname(path)));
    const fault =
      findFault(statSync(file), file) ??
      // A link that came with the workspace must not choose what of the machine is run and shown.
      (isForeign && !isIn(file) ? "leads out of the workspace" : undefined) ??
      (isWide(dirname(file), place)
        ? `lies in ${dirname(file)}, all of which it could read; give it a directory of its own`
        : undefined);
    return fault === undefined ? { path, file, isForeign } : { path, fault };
  } catch (error) {
    return { path, fault: explain(error) };
  }
}

function readNames(directory: string): readonly string[] | string {
  try {
    return readdirSync(directory)
      .filter((name) => !name.startsWith("."))
      .sort((one, other) => (one < other ? -1 : 1));
  } catch (error) {
    return explain(error);
  }
}

function findFault(stats: Stats, file: string): string | undefined {
  if (stats.isDirectory()) return "is a directory";
  if (!stats.isFile()) return "is no file";
  accessSync(file, constants.R_OK);
  // Not `access`, which lets root run whatever somebody may.
  return (stats.mode & 0o111) === 0 ? "can't be run; chmod +x makes it so" : undefined;
}

function isWide(directory: string, { home }: ScriptPlace): boolean {
  return [home ?? "/", "/tmp", "/var/tmp"].some((path) => isInside(directory, path));
}

function isInside(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory === sep ? sep : `${directory}${sep}`);
}

function explain(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? `can't be used: ${message}`;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "is not a directory",
  EACCES: "can't be read",
  EPERM: "can't be read",
  ELOOP: "is a link that leads to itself",
};
