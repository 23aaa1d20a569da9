import { realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isSecretPath } from "@haft/computer";
import type { StdioSettings } from "../store/mcp-server-entry.ts";
import type { ServerProgram } from "../transport/program-transport.ts";
import { expandVariables } from "./expand-variables.ts";

/** Where a server's program runs. */
export interface ProgramPlace {
  readonly roots: readonly string[];
  /** The person's home directory. */
  readonly personHome: string | undefined;
  /** The server's own. */
  readonly home: string;
  /** Where servers and their credentials are kept, which is no server's business. */
  readonly storeDirectory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** It may write nothing but at its own home. */
  readonly readOnly?: boolean | undefined;
}

/**
 * The program of a server, in its own sandbox: it reads the workspace and what its command line
 * names, writes where it may and at a home of its own, and reaches the hosts that it was given.
 */
export function toServerProgram(settings: StdioSettings, place: ProgramPlace): ServerProgram {
  const { command, args, env, passEnv, reads, writes, hosts, sandbox } = settings;
  const passed = passEnv.flatMap((name) => {
    const value = place.environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    argv: [command, ...args],
    environment: {
      HOME: place.home,
      ...Object.fromEntries(passed),
      ...expandVariables(env, place.environment),
    },
    reads: [...new Set([...reads, ...findNamedDirectories([command, ...args], place)])],
    writes: [...(place.readOnly ? [] : (writes ?? place.roots)), place.home],
    hosts,
    ...(sandbox !== undefined && { sandbox }),
    // Without a sandbox nothing would keep it from writing.
    ...(place.readOnly && { sandbox: "required" as const }),
  };
}

// The directories that words of a command line name, or what they name lies in.
function findNamedDirectories(words: readonly string[], place: ProgramPlace): string[] {
  const cwd = place.roots[0] as string;
  const candidates = words.flatMap((word) => [word, word.slice(word.indexOf("=") + 1)]);
  return candidates.flatMap((word) => {
    if (!isAbsolute(word) && !/^\.{0,2}\/|\//u.test(word)) return [];
    return findReadable(resolve(cwd, word), place);
  });
}

function findReadable(path: string, place: ProgramPlace): readonly string[] {
  try {
    const landing = realpathSync.native(path);
    const isKept =
      contains(place.storeDirectory, landing) || contains(landing, place.storeDirectory);
    if (isKept || isSecretPath(landing)) return [];
    if (statSync(landing).isDirectory()) return isNarrow(landing, place) ? [landing] : [];
    return findOfScript(landing, place);
  } catch {
    return [];
  }
}

// A script needs what lies beside it, and the packages that are installed around it.
function findOfScript(path: string, place: ProgramPlace): readonly string[] {
  const above = listAbove(path);
  const own = above.find((directory) => isFileIn(directory, "package.json"));
  const beside = [own, dirname(path)].find((one) => one !== undefined && isNarrow(one, place));
  const installed = above
    .map((directory) => join(directory, "node_modules"))
    .filter((directory) => statSync(directory, { throwIfNoEntry: false })?.isDirectory());
  return [beside ?? path, ...installed];
}

function listAbove(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...listAbove(parent)];
}

function isFileIn(directory: string, name: string): boolean {
  return statSync(join(directory, name), { throwIfNoEntry: false })?.isFile() === true;
}

/** Whether a directory is about what was named, and not about everything. */
function isNarrow(directory: string, { personHome }: ProgramPlace): boolean {
  return !contains(directory, personHome ?? "/") && !contains(directory, realpathSync(tmpdir()));
}

function contains(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory === "/" ? "/" : `${directory}/`);
}
