import { type Grant, ToolError } from "@haft/contract";
import { type CommandReading, findUngranted } from "@haft/core";

/** Refuses a command line unless all of it is granted: the path of the call asked this before. */
export function requireCommand(
  command: string,
  reading: CommandReading,
  grant: Pick<Grant, "mayRun">,
): void {
  const ungranted = findUngranted(reading, grant);
  if (ungranted === undefined) return;
  const shown = command.length > 200 ? `${command.slice(0, 200)}…` : command;
  throw new ToolError(
    "out-of-scope",
    `This call may not run ${JSON.stringify(shown)}: ${ungranted} is not granted. Run a command that is.`,
  );
}
