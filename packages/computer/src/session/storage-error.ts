import { ToolError } from "@haft/contract";
import { isSystemError } from "../disk/system-error.ts";

/** Explains why a session could not store something: reason, directory, remedy. */
export function storageError(error: unknown, directory: string): unknown {
  if (!isSystemError(error)) return error;
  const options = { cause: error, absolutePath: directory };
  if (error.code === "ENOSPC" || error.code === "EDQUOT") {
    return new ToolError(
      "quota",
      `No space left for the session in ${directory}. Free disk space, or set HAFT_HOME to a directory on another disk.`,
      options,
    );
  }
  return new ToolError(
    "failed",
    `The session can't store anything in ${directory} (${error.code}). Make it writable, or set HAFT_HOME to a writable directory.`,
    options,
  );
}
