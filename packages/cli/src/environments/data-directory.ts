import { join, resolve } from "node:path";
import { stateDirectory } from "@haft/computer/internal";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { optionText } from "./option-values.ts";

/** Returns the data directory: `--data`, `HAFT_DATA`, or a directory in Haft's state. */
export function locateData(input: CommandInput, io: Io): string {
  const given = optionText(input, "data") ?? (io.environment.HAFT_DATA || undefined);
  return given === undefined
    ? join(stateDirectory(io.environment), "platform")
    : resolve(io.directory, given);
}
