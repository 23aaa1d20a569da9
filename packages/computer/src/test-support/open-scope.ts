import { compileRequirements, type FileSystem, type RequirementSet } from "@haft/contract";
import type { Computer, FileChange } from "@haft/core";

/** The files of a call, and what it did to them. */
export interface OpenScope {
  readonly files: FileSystem;
  readonly journal: FileChange[];
  readonly changed: string[];
}

const wholeWorkspace: RequirementSet = {
  fs: { read: ["{workspace}/**"], write: ["{workspace}/**"] },
};

/** Opens the files of a computer for a call with this grant: the workspace unless said. */
export function openScope(
  computer: Computer,
  requirements: RequirementSet = wholeWorkspace,
): OpenScope {
  const journal: FileChange[] = [];
  const changed: string[] = [];
  const files = computer.openFiles({
    callId: "call-1",
    grant: compileRequirements(requirements, computer.variables),
    journal: { record: (change) => void journal.push(change) },
    changed: (path) => void changed.push(path),
  });
  return { files, journal, changed };
}

/** The bytes of a text. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The text that a file holds. */
export async function readText(files: FileSystem, path: string): Promise<string> {
  return new TextDecoder().decode(await files.read(path));
}
