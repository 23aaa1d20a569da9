import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { stateDirectory, toRealPath } from "@haft/computer/internal";
import { isInside } from "@haft/contract/internal";
import { homeOf, type Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";

/** Directories beside the workspace. Paths are absolute. */
export interface MoreRoots {
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
}

/** Reads the values of `--root`: a directory, read-only unless `:rw` follows it. */
export function readRoots(values: readonly string[], io: Io): MoreRoots {
  const roots = values.map((value) => {
    const [, directory = "", rights = "ro"] = form.exec(value) ?? [];
    return { path: findDirectory(directory, value, io), isWritable: rights === "rw" };
  });
  const pathsOf = (isWritable: boolean): string[] =>
    roots.filter((root) => root.isWritable === isWritable).map(({ path }) => path);
  return { writable: pathsOf(true), readOnly: pathsOf(false) };
}

const form = /^(.*?)(?::(ro|rw))?$/su;

function findDirectory(directory: string, value: string, io: Io): string {
  const path = /^~(?:\/|$)/u.test(directory)
    ? join(homeOf(io), directory.slice(1))
    : resolve(io.directory, directory);
  const fault = directory === "" ? "name a directory, such as ../lib." : findFault(path, io);
  if (fault !== undefined) throw new UsageError(`--root ${value}: ${fault}`);
  return path;
}

function findFault(path: string, io: Io): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return `${path} does not exist. Create it, or name another directory.`;
  if (!found.isDirectory()) {
    return `${path} is not a directory. Name the directory that contains it.`;
  }
  const landing = toRealPath(path);
  const state = toRealPath(stateDirectory(io.environment));
  if (!isInside(landing, state) && !isInside(state, landing)) return undefined;
  return `${path} overlaps with Haft's own files in ${state}, which no tool may use. Name a directory that does not, or set HAFT_HOME to another place.`;
}
