import { type FileSystem, type LoadedFile, ToolError } from "@haft/contract";
import { decodeText } from "./decode-text.ts";
import { diskVersion, findUnsavedText, joinVersions } from "./editor-text.ts";
import type { FileDelegation } from "./file-delegation.ts";

/** A text file of the workspace as the disk and the client have it. */
export interface SeenFile {
  readonly disk: LoadedFile;
  readonly mode: number;
  /** As whoever looks sees it. */
  readonly loaded: LoadedFile;
  /** What the person had of it by landing, if that is not what the disk has. */
  readonly standIns: ReadonlyMap<string, Uint8Array>;
}

/** Larger files stay on the disk: whoever changes those does not do it in an editor. */
export const mostDelegatedBytes: number = 5 * 1024 * 1024;

const encoder = new TextEncoder();

/**
 * Looks at a file through our own files first, which judge the path, then through the client.
 * `undefined` for what stays on the disk, and for what our own files refuse: they refuse it again, in
 * their own words, when it is really used.
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
  // What the client does not know, or won't tell, is on the disk.
  const held = await delegation.read?.(name).catch(() => undefined);
  const unsaved = held === undefined ? undefined : findUnsavedText(held, text);
  if (unsaved === undefined) return { disk, mode, loaded: disk, standIns: new Map() };
  const content = encoder.encode(unsaved);
  const version = joinVersions(disk.version, unsaved);
  return { disk, mode, loaded: { content, version }, standIns: new Map([[landing, content]]) };
}

/** Refuses to write over what a person typed since the file was read. */
export function requireSeen(path: string, expect: string | undefined, seen: SeenFile): void {
  if (expect === undefined || expect === "absent") return;
  // Where the disk itself has another version, it says so.
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
    if (kind !== "file" || size > mostDelegatedBytes) return undefined;
    const disk = await files.load(path);
    const text = decodeText(disk.content);
    return text === undefined ? undefined : { disk, mode, text };
  } catch (error) {
    if (ToolError.isInstance(error)) return undefined;
    throw error;
  }
}
