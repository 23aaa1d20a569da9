import { join } from "node:path";
import { makeDirectories, readSmallFile, replaceSmallFile } from "@haft/computer/internal";
import type { HookFormatName } from "./hook-file.ts";

/** A hook file that a person imported. */
export interface ImportedHooks {
  readonly path: string;
  readonly format: HookFormatName;
  /** The content that the person saw. Missing for a file of a workspace, which needs trust instead. */
  readonly content?: string;
  /** The workspace that the file belongs to. Default: all workspaces. */
  readonly workspace?: string;
}

/** Returns the imported hook files of this machine. Throws if the list can't be read. */
export function listImportedHooks(stateDirectory: string): readonly ImportedHooks[] {
  const path = storeOf(stateDirectory);
  const text = readSmallFile(path);
  if (text === undefined) return [];
  const { version, files } = JSON.parse(text) as Stored;
  if (version === 1 && Array.isArray(files)) return files;
  throw new Error(`${path} was written by another version of Haft. Import your hooks again.`);
}

/** Stores a list of imported hook files in place of the one before. */
export function storeImportedHooks(stateDirectory: string, files: readonly ImportedHooks[]): void {
  makeDirectories(stateDirectory, 0o700);
  replaceSmallFile(storeOf(stateDirectory), `${JSON.stringify({ version: 1, files })}\n`);
}

interface Stored {
  readonly version: number;
  readonly files: readonly ImportedHooks[];
}

function storeOf(stateDirectory: string): string {
  return join(stateDirectory, "hooks.json");
}
