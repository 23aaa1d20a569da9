import { errorCodes, ToolError } from "@haft/contract";
import { toVisibleText } from "@haft/core/internal";
import type { Io } from "../../../io.ts";
import { printJson } from "../../../terminal/print-result.ts";

/** Prints the error and returns the exit code for it. */
export function reportFailure(error: unknown, json: boolean, io: Io): number {
  if (!ToolError.isInstance(error)) throw error;
  if (json) printJson({ error: { code: error.code, message: error.message } }, io);
  else io.error(`haft: ${toVisibleText(error.message)} [${error.code}]\n`);
  return errorCodes[error.code].exitCode;
}
