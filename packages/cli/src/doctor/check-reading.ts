import type { Computer } from "@haft/core";
import type { Finding } from "./finding.ts";

const sample = "git log --oneline | head && echo done";

/** Tries whether command lines can be read, which rules on commands depend on. */
export async function checkReading(computer: Computer): Promise<Finding> {
  const name = "commands";
  try {
    await computer.prepareShell();
    const { doubts, commands } = computer.readCommand(sample, computer.roots[0] as string);
    if (doubts.length > 0 || commands.length !== 3) {
      throw new Error(doubts[0] ?? `${JSON.stringify(sample)} was misread`);
    }
    const detail = "two parsers read them, and agree on a sample";
    return { name, found: true, required: false, detail };
  } catch (error) {
    return {
      name,
      found: false,
      required: false,
      detail: `every command has to be asked about: ${(error as Error).message}`,
      remedy: "reinstall Haft with all of its dependencies",
    };
  }
}
