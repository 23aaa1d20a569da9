import { ToolError } from "@haft/contract";
import { toErrorLine } from "../to-error-line.ts";

/** Creates the error for a write that the client refused, after the disk is restored. */
export function refusedByClient(path: string, error: unknown): ToolError {
  const words = toErrorLine(error).replace(/[.!]?$/u, ".");
  return new ToolError(
    "failed",
    `The editor refused to write ${path}: ${words} The file is unchanged.`,
    {
      cause: error,
      absolutePath: path,
    },
  );
}
