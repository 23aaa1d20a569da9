import { parseArgs } from "node:util";
import type { Command } from "../command.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";
import type { Ran } from "./run-haft.ts";

/** Where a command runs. */
export interface CommandPlace {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What the person at the terminal types, line by line. */
  readonly typed?: readonly string[];
}

/** Runs a command that is made with parts of a test's own, as `haft` runs it. */
export async function runCommand(
  command: Command,
  args: readonly string[],
  { directory, environment, typed }: CommandPlace,
): Promise<Ran> {
  let stdout = "";
  let stderr = "";
  const lines = [...(typed ?? [])];
  const io: Io = {
    out: (text) => {
      stdout += text;
    },
    error: (text) => {
      stderr += text;
    },
    readInput: async () => "",
    readLine: async () => lines.shift(),
    environment,
    directory,
    interactive: typed !== undefined,
    outputIsTerminal: false,
    signal: new AbortController().signal,
  };
  const exitCode = await run();
  return { exitCode, stdout, stderr, json: () => JSON.parse(stdout) };

  async function run(): Promise<number> {
    try {
      const { options } = command;
      const parsed = parseArgs({ args: [...args], options, allowPositionals: true });
      return await command.run({ options: parsed.values, positionals: parsed.positionals }, io);
    } catch (error) {
      stderr += `haft: ${(error as Error).message}\n`;
      return error instanceof UsageError ? 2 : 1;
    }
  }
}
