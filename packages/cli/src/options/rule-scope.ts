import { join } from "node:path";
import type { DiskComputer } from "@haft/computer";
import type { CommandInput } from "../command.ts";
import { UsageError } from "../usage-error.ts";
import type { CommonOptions } from "./common-options.ts";

/** Where rules can be stored. */
export type StoredScope = "session" | "project";

/** Returns the scope that `--scope` names. Default: project. */
export function readScope({ options }: CommandInput): StoredScope {
  const scope = options.scope ?? "project";
  if (scope === "project" || scope === "session") return scope;
  throw new UsageError(
    `--scope: there is no scope ${JSON.stringify(scope)} to store in. Scopes: project, session.`,
  );
}

/** Returns the path of the file with the rules of a scope. */
export function ruleFileOf(
  scope: StoredScope,
  computer: DiskComputer,
  { session }: Pick<CommonOptions, "session">,
): string {
  return scope === "project"
    ? join(computer.roots[0] as string, ".haft", "rules")
    : join(computer.openSession(session).directory, "rules");
}
