import { type FileSystem, type LoadedFile, ToolError } from "@haft/contract";
import { decodeText } from "./decode-text.ts";
import { diskVersion, findUnsavedText, joinVersions } from "./editor-text.ts";
import type { FileDelegation } from "./file-delegation.ts";

/** A text file of the workspace, on disk and in the client. */
export interface SeenFile {
  readonly disk: LoadedFile;
  readonly mode: number;
  /** The text that callers see. */
  readonly loaded: LoadedFile;
  /** The editor's content by resolved path, if it differs from the disk. */
  readonly standIns: ReadonlyMap<string, Uint8Array>;
}

/** Larger files are read from disk: people don't edit them in an editor. */
export const maxDelegatedBytes: number = 5 * 1024 * 1024;

const encoder = new TextEncoder();

/**
 * Reads a file from disk first, which checks the path, then through the client.
 * Returns `undefined` for files that stay on disk and those that the disk refuses: it refuses them again, with
 * its own error, when they are used.
 */
export async function seeFile(
  path: string,
  files: FileSystem,
  delegation: FileDelegation,
): Promise<SeenFile | undefined> {
  const landing = delegation.identify(path);
  const name = delegation.findName(landing);
  if (name === undefined) return undefined;
  const found = await loadText(path, files);
  if (found === undefined) return undefined;
  const { disk, mode, text } = found;
  // If the client does not send the text, the disk is used.
  const held = await delegation.read?.(name).catch(() => undefined);
  const unsaved = held === undefined ? undefined : findUnsavedText(held, text);
  if (unsaved === undefined) return { disk, mode, loaded: disk, standIns: new Map() };
  const content = encoder.encode(unsaved);
  const version = joinVersions(disk.version, unsaved);
  return { disk, mode, loaded: { content, version }, standIns: new Map([[landing, content]]) };
}

/** Refuses to overwrite what a person has typed since the file was read. */
export function requireSeen(path: string, expect: string | undefined, seen: SeenFile): void {
  if (expect === undefined || expect === "absent") return;
  // If the disk has another version, it reports the conflict itself.
  if (diskVersion(expect) !== seen.disk.version || expect === seen.loaded.version) return;
  throw new ToolError(
    "conflict",
    `${path} was changed in the editor since it was read. Read it again, then make the change.`,
    { absolutePath: path },
  );
}

interface FoundText {
  readonly disk: LoadedFile;
  readonly mode: number;
  readonly text: string;
}

async function loadText(path: string, files: FileSystem): Promise<FoundText | undefined> {
  try {
    const { kind, size, mode } = await files.stat(path);
    if (kind !== "file" || size > maxDelegatedBytes) return undefined;
    const disk = await files.load(path);
    const text = decodeText(disk.content);
    return text === undefined ? undefined : { disk, mode, text };
  } catch (error) {
    if (ToolError.isInstance(error)) return undefined;
    throw error;
  }
}
