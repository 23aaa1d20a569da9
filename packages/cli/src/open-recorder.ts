import { join } from "node:path";
import {
  openSqliteRecorder,
  type SqliteRecorder,
  type SqliteRecorderOptions,
} from "@haft/computer";
import { stateDirectory } from "@haft/computer/internal";
import { createMemoryRecorder, type Recorder } from "@haft/core";
import type { Io } from "./io.ts";

/** Opens the records of this machine. */
export function openRecorder(
  io: Io,
  options: Pick<SqliteRecorderOptions, "gatherMs"> = {},
): Promise<SqliteRecorder> {
  return openSqliteRecorder(recordingOf(io), {
    ...options,
    onError: (error) => io.error(`haft: ${error.message}\n`),
  });
}

/** Returns the path of the records of this machine. */
export function recordingOf(io: Io): string {
  return join(stateDirectory(io.environment), "recordings.db");
}

/**
 * Opens the records of this machine. If calls cannot be recorded, those that only read run; those that
 * change something are refused.
 */
export async function recordOrWarn(
  io: Io,
  options: Pick<SqliteRecorderOptions, "gatherMs">,
): Promise<Recorder> {
  try {
    return await openRecorder(io, options);
  } catch (error) {
    const { message } = error as Error;
    io.error(`haft: this call will not be recorded: ${message}\n`);
    return { ...createMemoryRecorder(), findFailure: () => message };
  }
}
