import { findPythonPath } from "@haft/connect/internal/modules";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";

/** `haft module python-path`: prints the directory with amplifier_core for the tests of Python modules. */
export async function printPythonPath(_input: CommandInput, io: Io): Promise<number> {
  io.out(`${findPythonPath()}\n`);
  return 0;
}
