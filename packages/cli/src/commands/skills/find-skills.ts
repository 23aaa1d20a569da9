import { statSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { type DiscoveredSkills, discoverSkills } from "@haft/agent/skills";
import { toVisibleLine } from "@haft/core";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { UsageError } from "../../usage-error.ts";

/** The skills of the workspace that a command names. */
export function findSkills({ options }: CommandInput, io: Io): DiscoveredSkills {
  const given = typeof options.workspace === "string" ? options.workspace : ".";
  const workspace = resolve(io.directory, given);
  if (statSync(workspace, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`There is no directory ${workspace}. --workspace takes one.`);
  }
  const { environment } = io;
  return discoverSkills({ workspace, home: environment.HOME ?? homedir(), environment });
}

/** Tells what is wrong with skills, beside what is printed. */
export function warnOfSkills({ warnings }: DiscoveredSkills, io: Io): void {
  for (const warning of warnings) io.error(`haft: ${toVisibleLine(warning)}\n`);
}
