import { compileRequirements, type FileSystem, type RequirementSet } from "@haft/contract";
import type { Computer, FileChange, Journal } from "@haft/core";
import { copyState } from "../paths/path-state.ts";

/** The files of a call, and what it did to them. */
export interface OpenScope {
  readonly files: FileSystem;
  readonly journal: FileChange[];
  readonly changed: string[];
}

/** What a test wants otherwise. */
export interface ScopeOverrides {
  readonly callId?: string;
  readonly journal?: Journal;
  readonly record?: Journal["record"];
  readonly isNamed?: (path: string) => boolean;
  readonly isDenied?: (path: string) => boolean;
  readonly signal?: AbortSignal;
}

const wholeWorkspace: RequirementSet = {
  fs: { read: ["{workspace}/**"], write: ["{workspace}/**"] },
};

/** Opens the files of a computer for a call with this grant. Default: the workspace. */
export function openScope(
  computer: Computer,
  requirements: RequirementSet = wholeWorkspace,
  overrides: ScopeOverrides = {},
): OpenScope {
  const journal: FileChange[] = [];
  const changed: string[] = [];
  const files = computer.openFiles({
    callId: overrides.callId ?? "call-1",
    grant: compileRequirements(requirements, computer.variables),
    journal: overrides.journal ?? {
      // Contents are only lent.
      record: overrides.record ?? ((changes) => void journal.push(...changes.map(copyChange))),
      latest: async () => [],
    },
    changed: (path) => void changed.push(path),
    isDenied: overrides.isDenied ?? (() => false),
    isNamed: overrides.isNamed ?? (() => false),
    signal: overrides.signal ?? new AbortController().signal,
  });
  return { files, journal, changed };
}

function copyChange({ before, after, ...change }: FileChange): FileChange {
  return { ...change, before: copyState(before), after: copyState(after) };
}

/** The bytes of a text. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The text that a file holds. */
export async function readText(files: FileSystem, path: string): Promise<string> {
  return new TextDecoder().decode(await files.read(path));
}
