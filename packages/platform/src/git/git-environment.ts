import type { GitProgram } from "./git-program.ts";

/** Settings of git for one run, by name. */
export type GitSettings = Readonly<Record<string, string>>;

/**
 * What a git of ours sees of the world: nothing of the server's own variables and configuration
 * files, and settings that nobody but us can give.
 */
export function toGitEnvironment(
  program: GitProgram,
  options: { readonly home: string; readonly settings?: GitSettings },
): Readonly<Record<string, string>> {
  const entries = Object.entries({ ...toSettings(program), ...options.settings });
  return {
    PATH: process.env.PATH ?? "",
    ...(process.env.TMPDIR === undefined ? {} : { TMPDIR: process.env.TMPDIR }),
    HOME: options.home,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_OPTIONAL_LOCKS: "0",
    // A path is a path: no wildcard, no "magic".
    GIT_LITERAL_PATHSPECS: "1",
    // One allocation. A small pack can claim any number of objects of any size.
    GIT_ALLOC_LIMIT: "512m",
    GIT_CONFIG_COUNT: String(entries.length),
    ...Object.fromEntries(
      entries.flatMap(([name, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, name],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}

/** What holds for every run. */
function toSettings(program: GitProgram): GitSettings {
  return {
    "safe.directory": "*",
    "protocol.allow": "never",
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    "core.protectHFS": "true",
    "core.protectNTFS": "true",
    // What was acknowledged is there after the power went.
    ...(program.syncsByComponent ? { "core.fsync": "all" } : { "core.fsyncObjectFiles": "true" }),
    // Larger files are streamed instead of being held in memory.
    "core.bigFileThreshold": "16m",
    "core.packedGitWindowSize": "32m",
    "core.packedGitLimit": "256m",
    "core.deltaBaseCacheLimit": "32m",
    "pack.threads": "2",
    "pack.windowMemory": "64m",
    "pack.deltaCacheSize": "64m",
    // Nothing goes on in the background that we don't know of.
    "gc.auto": "0",
    "gc.autoDetach": "false",
    "maintenance.auto": "false",
    "receive.autogc": "false",
  };
}
