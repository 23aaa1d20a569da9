import { accessSync, constants, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "@haft/contract/internal";
import type { ScriptFault, ToolboxScript } from "./toolbox-script.ts";

/** The directories that limit where scripts may be. */
export interface ScriptContext {
  readonly roots: readonly string[];
  readonly home: string | undefined;
}

// A directory with more files is not a toolbox, and each file would be read and run.
const maxScripts = 200;

/** Lists the scripts of toolbox directories, in order of precedence. */
export function listScripts(
  directories: readonly string[],
  context: ScriptContext,
): readonly (ToolboxScript | ScriptFault)[] {
  const seen = new Set<string>();
  return directories.flatMap((directory) => {
    const names = readNames(directory);
    if (typeof names === "string") return [{ path: directory, fault: names }];
    const scripts = names
      .slice(0, maxScripts)
      .map((name) => join(directory, name))
      .filter((path) => !seen.has(path) && seen.add(path))
      .map((path) => examineScript(path, context));
    if (names.length <= maxScripts) return scripts;
    const fault = `has ${names.length} files; only the first ${maxScripts} are used`;
    return [...scripts, { path: directory, fault }];
  });
}

/** Checks whether a path is a script that can be run. */
export function examineScript(path: string, context: ScriptContext): ToolboxScript | ScriptFault {
  try {
    const file = realpathSync.native(path);
    const findRoot = (where: string): string | undefined =>
      context.roots.find((root) => isInside(root, where));
    const isForeign = findRoot(realpathSync.native(dirname(path))) !== undefined;
    const within = findRoot(file);
    const fault =
      findFault(statSync(file), file) ??
      // A link in the workspace must not choose which program of the machine is run.
      (isForeign && within === undefined
        ? "is a link that leads out of the workspace"
        : undefined) ??
      (isWide(dirname(file), context)
        ? `is in ${dirname(file)}, all of which it could read. Move it to a directory of its own`
        : undefined);
    return fault === undefined ? { path, file, within } : { path, fault };
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
  if (!stats.isFile()) return "is not a regular file";
  accessSync(file, constants.R_OK);
  // Not `access`: for root it succeeds if anyone may run the file.
  return (stats.mode & 0o111) === 0 ? "is not executable. Run chmod +x on it" : undefined;
}

function isWide(directory: string, { home }: ScriptContext): boolean {
  return [home ?? "/", "/tmp", "/var/tmp"].some((path) => isInside(directory, path));
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
