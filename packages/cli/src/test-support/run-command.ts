import type { Command } from "../command.ts";
import type { Io } from "../io.ts";
import { parseCommand } from "../parse-command.ts";
import { UsageError } from "../usage-error.ts";
import type { Ran } from "./run-haft.ts";

/** The directory, environment and typed input of a command. */
export interface CommandContext {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What the person at the terminal types, line by line. */
  readonly typed?: readonly string[];
  readonly outputIsTerminal?: boolean;
}

/** Runs a command that a test declares, as `haft` runs it. */
export async function runCommand(
  command: Command,
  args: readonly string[],
  { directory, environment, typed, outputIsTerminal = false }: CommandContext,
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
    outputIsTerminal,
    signal: new AbortController().signal,
  };
  const exitCode = await run();
  return { exitCode, stdout, stderr, json: () => JSON.parse(stdout) };

  async function run(): Promise<number> {
    try {
      const parsed = await parseCommand("command", command, args);
      if ("helpOn" in parsed) throw new Error("The test asks for help.");
      const runCommand = await parsed.action.load();
      return await runCommand(parsed.input, io);
    } catch (error) {
      stderr += `haft: ${(error as Error).message}\n`;
      return error instanceof UsageError ? 2 : 1;
    }
  }
}
