import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The environment of an agent. */
export interface AgentEnvironment {
  readonly workspace: string;
  /** Further directories, and whether they can only be read. */
  readonly roots?: readonly { readonly path: string; readonly isReadOnly: boolean }[];
  /** A value of `process.platform`. */
  readonly platform: string;
  /** Today. */
  readonly date: Date;
  /** Whether the workspace is in a git repository. Default: checked on disk. */
  readonly isRepository?: boolean | undefined;
}

/** Returns the section of the system prompt that describes the environment. */
export function describeEnvironment({
  workspace,
  roots = [],
  platform,
  date,
  isRepository = isInRepository(workspace),
}: AgentEnvironment): string {
  return [
    "# Environment",
    "",
    `Workspace: ${workspace} (${isRepository ? "in a git repository" : "not in a git repository"})`,
    ...roots.map(({ path, isReadOnly }) => `Also: ${path}${isReadOnly ? " (read-only)" : ""}`),
    `Platform: ${platform}`,
    `Date: ${toDay(date)}`,
  ].join("\n");
}

function isInRepository(workspace: string): boolean {
  for (let at = workspace; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return true;
    if (at === dirname(at)) return false;
  }
}

// The date in the local time zone.
function toDay(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
