import { statSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { type DiscoveredSkills, discoverSkills } from "@haft/agent/internal/skills";
import { toVisibleLine } from "@haft/core/internal";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { openTrust } from "../../trust/open-trust.ts";
import { UsageError } from "../../usage-error.ts";

/** Returns the skills of the workspace that the command line names. */
export function findSkills({ options }: CommandInput, io: Io): DiscoveredSkills {
  const given = typeof options.workspace === "string" ? options.workspace : ".";
  const workspace = resolve(io.directory, given);
  if (statSync(workspace, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`--workspace: ${workspace} is not a directory.`);
  }
  const { environment } = io;
  const trust = openTrust(workspace, io);
  return discoverSkills({ workspace, home: environment.HOME ?? homedir(), environment, trust });
}

/** Prints warnings about skills to standard error. */
export function warnOfSkills({ warnings, untrusted }: DiscoveredSkills, io: Io): void {
  for (const { path } of untrusted) {
    const why = "this skill contains commands and is not trusted, so it is ignored";
    io.error(`haft: ${toVisibleLine(`${path}: ${why}. Review it with: haft trust`)}\n`);
  }
  for (const warning of warnings) io.error(`haft: ${toVisibleLine(warning)}\n`);
}
