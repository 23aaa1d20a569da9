import { type Grant, ToolError } from "@haft/contract";
import { clipText } from "@haft/contract/internal";
import type { CommandReading } from "@haft/core";
import { findUngranted } from "@haft/core/internal";

/** Refuses a command line unless all of it is granted. The call's path checked this before. */
export function requireCommand(
  command: string,
  reading: CommandReading,
  grant: Pick<Grant, "mayRun">,
): void {
  const ungranted = findUngranted(reading, grant);
  if (ungranted === undefined) return;
  const shown = clipText(command, 200);
  throw new ToolError(
    "out-of-scope",
    `This call may not run ${JSON.stringify(shown)}: ${ungranted} is not granted. Run a granted command.`,
  );
}
