import { listSessions, stateDirectory } from "@haft/computer";
import type { Io } from "../io.ts";
import { openComputer } from "../open-workspace.ts";
import { UsageError } from "../usage-error.ts";
import type { CommonOptions } from "./common-options.ts";

/** The id of a session that a person named: by its name in this workspace, or by its whole id. */
export function findSession(wanted: string, options: CommonOptions, io: Io): string {
  const id = wanted.includes("/")
    ? wanted
    : openComputer({ ...options, session: wanted }, io).openSession(wanted).id;
  const known = listSessions(stateDirectory(io.environment));
  if (known.some((session) => session.id === id)) return id;
  throw new UsageError(
    `There is no session ${JSON.stringify(wanted)} here. haft sessions list --all shows what there is.`,
  );
}
