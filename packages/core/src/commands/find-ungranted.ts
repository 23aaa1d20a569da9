import type { Grant } from "@haft/contract";
import type { CommandReading, ReadWord } from "./command-reading.ts";

/** Returns the part of a command line that a grant does not cover, for a message, or `undefined`. */
export function findUngranted(
  { doubts, commands }: CommandReading,
  grant: Pick<Grant, "mayRun">,
): string | undefined {
  // With permission to run anything, the command need not be understood.
  if (grant.mayRun([])) return undefined;
  const [doubt] = doubts;
  if (doubt !== undefined) return `a command that can't be analysed (${doubt})`;
  for (const { words, wrappers, doubts: own } of commands) {
    if (own[0] !== undefined) return `a command that can't be analysed (${own[0]})`;
    const ungranted = [...wrappers, words].find((argv) => !isGranted(argv, grant));
    if (ungranted !== undefined) return ungranted.map((word) => word ?? "…").join(" ");
  }
  return undefined;
}

function isGranted(argv: readonly ReadWord[], grant: Pick<Grant, "mayRun">): boolean {
  return argv.length > 0 && isLiteral(argv) && grant.mayRun(argv);
}

function isLiteral(argv: readonly ReadWord[]): argv is readonly string[] {
  return !argv.includes(undefined);
}
