import { ToolError } from "@haft/contract";
import { wordsOf } from "../words-of.ts";

/** The error of a write that the client did not make, after the disk is as it was again. */
export function refusedByClient(path: string, error: unknown): ToolError {
  const words = wordsOf(error).replace(/[.!]?$/u, ".");
  return new ToolError("failed", `The editor did not write ${path}: ${words} It is as it was.`, {
    cause: error,
    absolutePath: path,
  });
}
