import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";

/** The program that `--watchdog`, or else `HAFT_WATCHDOG`, names; it must be one that can be run. */
export function readWatchdogFile(option: string | undefined, io: Io): string | undefined {
  const given = option ?? (io.environment.HAFT_WATCHDOG || undefined);
  if (given === undefined) return undefined;
  const path = resolve(io.directory, given);
  const place = option === undefined ? "HAFT_WATCHDOG" : "--watchdog";
  if (!isFile(path)) throw new UsageError(`${place}: there is no file ${path}.`);
  try {
    accessSync(path, constants.X_OK);
  } catch {
    throw new UsageError(`${place}: ${path} can't be run. Make it executable: chmod +x ${given}`);
  }
  return path;
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
