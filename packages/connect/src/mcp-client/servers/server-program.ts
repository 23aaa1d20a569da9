import { realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isSecretPath } from "@haft/computer/internal";
import { isInside } from "@haft/contract/internal";
import { findAsset } from "../../find-asset.ts";
import type { StdioSettings } from "../store/mcp-server-entry.ts";
import type { ServerProgram } from "../transport/program-transport.ts";
import { expandVariables } from "./expand-variables.ts";

/** The directories and variables of a server's program. */
export interface ProgramContext {
  readonly roots: readonly string[];
  /** The person's home directory. */
  readonly personHome: string | undefined;
  /** The server's own home directory. */
  readonly home: string;
  /** The directory with all servers and credentials. No server may read it. */
  readonly storeDirectory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The program may write only in its own home directory. */
  readonly readOnly?: boolean | undefined;
}

/**
 * Returns the program of a server. In its sandbox it reads the workspace and the paths on its command
 * line, writes to the directories it was given and to a home of its own, and reaches its hosts.
 */
export function toServerProgram(settings: StdioSettings, context: ProgramContext): ServerProgram {
  const { command, args, env, passEnv, reads, writes, hosts, sandbox } = settings;
  const passed = passEnv.flatMap((name) => {
    const value = context.environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const given = { ...Object.fromEntries(passed), ...expandVariables(env, context.environment) };
  // Older versions of Node reach hosts through the sandbox's proxy only with this.
  const preload = hosts.length > 0 && sandbox !== "off" ? findAsset("use-proxy.cjs") : undefined;
  const named = findNamedDirectories([command, ...args], context);
  return {
    argv: [command, ...args],
    environment: {
      HOME: context.home,
      ...given,
      ...(preload && {
        NODE_OPTIONS: [`--require ${JSON.stringify(preload)}`, given.NODE_OPTIONS ?? ""]
          .join(" ")
          .trim(),
      }),
    },
    reads: [...new Set([...reads, ...named, ...(preload ? [dirname(preload)] : [])])],
    writes: [...(context.readOnly ? [] : (writes ?? context.roots)), context.home],
    hosts,
    ...(sandbox !== undefined && { sandbox }),
    // Without a sandbox nothing would prevent it from writing.
    ...(context.readOnly && { sandbox: "required" as const }),
  };
}

// The directories named on the command line, and those of the files named there.
function findNamedDirectories(words: readonly string[], context: ProgramContext): string[] {
  const cwd = context.roots[0] as string;
  const candidates = words.flatMap((word) => [word, word.slice(word.indexOf("=") + 1)]);
  return candidates.flatMap((word) => {
    if (!isAbsolute(word) && !/^\.{0,2}\/|\//u.test(word)) return [];
    return findReadable(resolve(cwd, word), context);
  });
}

function findReadable(path: string, context: ProgramContext): readonly string[] {
  try {
    const landing = realpathSync.native(path);
    const isKept =
      isInside(context.storeDirectory, landing) || isInside(landing, context.storeDirectory);
    if (isKept || isSecretPath(landing)) return [];
    if (statSync(landing).isDirectory()) return isNarrow(landing, context) ? [landing] : [];
    return findOfScript(landing, context);
  } catch {
    return [];
  }
}

// A script needs the files beside it and the packages installed above it.
function findOfScript(path: string, context: ProgramContext): readonly string[] {
  const above = listAbove(path);
  const own = above.find((directory) => isFileIn(directory, "package.json"));
  const beside = [own, dirname(path)].find((one) => one !== undefined && isNarrow(one, context));
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

// A directory that contains the home or the temporary directory would expose too much.
function isNarrow(directory: string, { personHome }: ProgramContext): boolean {
  return !isInside(directory, personHome ?? "/") && !isInside(directory, realpathSync(tmpdir()));
}
