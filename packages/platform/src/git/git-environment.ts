import { toGitEnvironment as toHarmlessEnvironment } from "@haft/computer/internal";
import type { GitProgram } from "./git-program.ts";

/** Git settings for one run, by name. */
export type GitSettings = Readonly<Record<string, string>>;

/**
 * Returns the environment for git: without the server's variables and configuration files,
 * and with fixed settings that nothing can override.
 */
export function toGitEnvironment(
  program: GitProgram,
  options: { readonly home: string; readonly settings?: GitSettings },
): Readonly<Record<string, string | undefined>> {
  const { PATH = "", TMPDIR } = process.env;
  const own = { PATH, HOME: options.home, ...(TMPDIR !== undefined && { TMPDIR }) };
  const settings = { ...toSettings(program), ...options.settings };
  return {
    ...toHarmlessEnvironment(own, { settings }),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    // Paths are literal: no wildcards and no pathspec magic.
    GIT_LITERAL_PATHSPECS: "1",
    // Limits a single allocation. A small pack can claim any number of objects of any size.
    GIT_ALLOC_LIMIT: "512m",
  };
}

/** Returns the settings of every run. */
function toSettings(program: GitProgram): GitSettings {
  return {
    "safe.directory": "*",
    "protocol.allow": "never",
    "core.protectHFS": "true",
    "core.protectNTFS": "true",
    // Acknowledged pushes survive a power failure.
    ...(program.syncsByComponent ? { "core.fsync": "all" } : { "core.fsyncObjectFiles": "true" }),
    // Larger files are streamed instead of being held in memory.
    "core.bigFileThreshold": "16m",
    "core.packedGitWindowSize": "32m",
    "core.packedGitLimit": "256m",
    "core.deltaBaseCacheLimit": "32m",
    "pack.threads": "2",
    "pack.windowMemory": "64m",
    "pack.deltaCacheSize": "64m",
    "receive.autogc": "false",
  };
}
