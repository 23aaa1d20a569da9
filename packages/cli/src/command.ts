import type { ParseArgsOptionDescriptor } from "node:util";
import type { Io } from "./io.ts";

/** Options as `node:util` parses them. */
export type OptionTable = Readonly<Record<string, ParseArgsOptionDescriptor>>;

/** A parsed command line. */
export interface CommandInput {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
}

/** One thing the `haft` command can do. */
export interface Command {
  /** Everything `--help` prints. */
  readonly help: string;
  readonly options: OptionTable;
  /** Returns the exit code. */
  run(input: CommandInput, io: Io): Promise<number>;
}
