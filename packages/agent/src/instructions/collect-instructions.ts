import { dirname, join, resolve } from "node:path";
import { findConfigHome } from "./find-config-home.ts";
import { fitInstructions, type InstructionFile } from "./fit-instructions.ts";
import type { Instructions } from "./instructions.ts";
import { readInstructionFile } from "./read-instruction-file.ts";
import { createTrustedOwners } from "./trusted-owners.ts";

/** Options of `collectInstructions`. */
export interface InstructionSearch {
  readonly workspace: string;
  readonly home: string;
  /** Default: the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Maximum size of the text. Default: 32 KB. */
  readonly maxBytes?: number | undefined;
}

const names = ["AGENTS.md", "CLAUDE.md", "CONTEXT.md"];
const defaultMost = 32 * 1024;
const maxPerFile = 24 * 1024;

/**
 * Collects AGENTS.md, CLAUDE.md and CONTEXT.md of a workspace and of every directory above it, and the
 * user's own files. Duplicates are used once. Lines that import other files (`@path`) stay as they are:
 * the agent can read those files if it needs them.
 */
export function collectInstructions(search: InstructionSearch): Instructions {
  const { workspace, home, environment = process.env, maxBytes = defaultMost } = search;
  const owners = createTrustedOwners(workspace);
  const warnings: string[] = [];
  const seen = new Set<string>();
  const found: InstructionFile[] = [];
  const own = join(findConfigHome(environment, home), "haft/AGENTS.md");
  const directories = listUpward(resolve(workspace));
  const candidates = directories.flatMap((directory, distance) =>
    names.map((name) => ({ path: join(directory, name), distance })),
  );
  for (const { path, distance } of [...candidates, { path: own, distance: directories.length }]) {
    const read = readInstructionFile(path, owners, maxPerFile);
    if (read === undefined) continue;
    if ("fault" in read) {
      warnings.push(`${path} is ignored: it ${read.fault}.`);
    } else if (!seen.has(read.text)) {
      // CLAUDE.md is often a copy of AGENTS.md or a link to it.
      seen.add(read.text);
      found.push({ path, distance, ...read });
    }
  }
  const { text, files } = fitInstructions(found, maxBytes);
  return { text, files, warnings };
}

function listUpward(workspace: string): readonly string[] {
  const directories: string[] = [];
  for (let at = workspace; ; at = dirname(at)) {
    directories.push(at);
    if (at === dirname(at)) return directories;
  }
}
