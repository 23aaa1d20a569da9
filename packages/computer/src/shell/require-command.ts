import { type Grant, ToolError } from "@haft/contract";
import type { CommandReading, ReadWord } from "@haft/core";

/**
 * Refuses a command line unless each command in it is granted. What is not certain takes a grant of
 * any command: nobody could say what it would run.
 */
export function requireCommand(
  command: string,
  reading: CommandReading,
  grant: Pick<Grant, "mayRun">,
): void {
  if (grant.mayRun([])) return;
  if (reading.doubts.length > 0) throw refuse(command, `it is not certain: ${reading.doubts[0]}`);
  for (const { words, wrappers, doubts } of reading.commands) {
    if (doubts.length > 0) throw refuse(command, `it is not certain: ${doubts[0]}`);
    for (const argv of [words, ...wrappers]) requireWords(command, argv, grant);
  }
}

function requireWords(
  command: string,
  words: readonly ReadWord[],
  grant: Pick<Grant, "mayRun">,
): void {
  const argv = words.filter((word) => word !== undefined);
  if (argv.length < words.length) throw refuse(command, "it has words that are not literal");
  // An empty list would ask for something else.
  if (argv.length > 0 && !grant.mayRun(argv)) {
    throw refuse(command, `it runs ${argv.join(" ")}, which is not granted`);
  }
}

function refuse(command: string, why: string): ToolError {
  const shown = command.length > 200 ? `${command.slice(0, 200)}…` : command;
  return new ToolError(
    "out-of-scope",
    `This call may not run ${JSON.stringify(shown)}: ${why}. Run a command that is granted.`,
  );
}
