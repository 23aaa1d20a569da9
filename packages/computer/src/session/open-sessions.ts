import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isSystemError } from "../disk/system-error.ts";
import { describeHolder, isHolding } from "../recorder/holder.ts";
import { makeDirectories } from "./make-directories.ts";
import { readSmallFile, writeSmallFile } from "./small-file.ts";
import { makeUniqueName } from "./unique-name.ts";

/** The content of a file that says which session a process has open. */
interface OpenSession {
  readonly session: string;
  readonly holder: string;
}

const directoryOf = (stateDirectory: string): string => join(stateDirectory, "open-sessions");

/**
 * Notes that this process has a session open, until the returned function is called. What a process that
 * died left is recognised.
 */
export function noteOpenSession(stateDirectory: string, session: string): () => void {
  const directory = directoryOf(stateDirectory);
  makeDirectories(directory, 0o700);
  const file = join(directory, makeUniqueName());
  const content: OpenSession = { session, holder: describeHolder() };
  writeSmallFile(file, JSON.stringify(content), directory);
  return () => rmSync(file, { force: true });
}

/** Returns the IDs of the sessions that running processes have noted as open. */
export function listOpenSessions(stateDirectory: string): ReadonlySet<string> {
  const directory = directoryOf(stateDirectory);
  const open = new Set<string>();
  for (const name of namesIn(directory)) {
    const file = join(directory, name);
    const noted = read(file);
    if (noted !== undefined && isHolding(noted.holder)) open.add(noted.session);
    else if (noted !== undefined) rmSync(file, { force: true });
  }
  return open;
}

function read(file: string): OpenSession | undefined {
  try {
    return JSON.parse(readSmallFile(file) ?? "") as OpenSession;
  } catch {
    // Being written or removed just now.
    return undefined;
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}
