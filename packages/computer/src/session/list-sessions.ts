import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isSystemError } from "../disk/system-error.ts";
import type { SessionFacts } from "./session-directory.ts";
import { readSmallFile } from "./small-file.ts";

/** A stored session of any workspace. */
export interface SessionSummary {
  readonly id: string;
  readonly name: string;
  /** The first root of its workspace. */
  readonly workspace: string;
  readonly directory: string;
  /** When it was last used. */
  readonly modifiedMs: number;
}

/** Returns the sessions below a state directory, most recently used first. */
export function listSessions(stateDirectory: string): SessionSummary[] {
  const sessions = join(stateDirectory, "sessions");
  return namesIn(sessions)
    .flatMap((workspace) =>
      namesIn(join(sessions, workspace)).map((name) => join(sessions, workspace, name)),
    )
    .flatMap(summarize)
    .sort((a, b) => b.modifiedMs - a.modifiedMs || (a.id < b.id ? -1 : 1));
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}

function summarize(directory: string): SessionSummary[] {
  const file = join(directory, "session.json");
  try {
    const facts = JSON.parse(readSmallFile(file) ?? "") as SessionFacts;
    const { mtimeMs } = statSync(file);
    const { id, name, workspace } = facts;
    return facts.version === 1 ? [{ id, name, workspace, directory, modifiedMs: mtimeMs }] : [];
  } catch {
    // Half removed, or not ours: one bad directory must not hide the others.
    return [];
  }
}
