import type { CommandReading, ReadCommand } from "../commands/command-reading.ts";
import type { Computer } from "../computer.ts";

/**
 * A computer that reads the plainest commands: words without quotes, `;` between commands, `> FILE`
 * for a redirection, `$X` for a word that is not literal.
 */
export function readPlainCommands(computer: Computer, changes: Partial<Computer> = {}): Computer {
  return { ...computer, readCommand: readPlainCommand, ...changes };
}

/** What such a computer makes of a line. */
export function readPlainCommand(line: string, cwd = "/workspace"): CommandReading {
  const [text = "", target] = line.split(">").map((part) => part.trim());
  const commands = text
    .split(";")
    .filter((part) => part.trim() !== "")
    .map((part) => makeCommand(part.trim().split(/\s+/u), cwd));
  return {
    doubts: [],
    commands,
    writes:
      target === undefined ? [] : [{ path: target.startsWith("/") ? target : `${cwd}/${target}` }],
    looseWords: [],
    readsOnly: commands.every(({ words }) => words[0] === "ls"),
  };
}

/** A command of these words; one that starts with `$` is not literal. */
export function makeCommand(given: readonly string[], cwd = "/workspace"): ReadCommand {
  const words = given.map((word) => (word.startsWith("$") ? undefined : word));
  return {
    words,
    plainWords: words,
    wrappers: [],
    risks: [],
    doubts: words.includes(undefined) ? ["a word of it is not literal"] : [],
    cwd,
    effects: [],
  };
}
