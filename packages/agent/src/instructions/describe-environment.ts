import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where an agent works. */
export interface AgentEnvironment {
  readonly workspace: string;
  /** As `process.platform` names it. */
  readonly platform: string;
  /** Today. */
  readonly date: Date;
  /** Whether the workspace is in a git repository; looked up unless said. */
  readonly isRepository?: boolean | undefined;
}

/** The few lines of a system prompt that say where the agent works. */
export function describeEnvironment({
  workspace,
  platform,
  date,
  isRepository = isInRepository(workspace),
}: AgentEnvironment): string {
  return [
    "# Where you work",
    "",
    `Workspace: ${workspace} (${isRepository ? "in a git repository" : "in no git repository"})`,
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

// The day that it is where the person is.
function toDay(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
