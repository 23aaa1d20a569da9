import { type FileStat, type FileSystem, type PathState, ToolError } from "@haft/contract";

/** The current state of a path, and the version that a change can expect. */
export type Present =
  | { readonly kind: "file"; readonly content: Uint8Array; readonly version: string }
  | { readonly kind: "directory" | "other" | "secret"; readonly version: string }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "absent" };

/**
 * Reads the state of a path. A missing path or a directory is a state, not an error. A link can be
 * distinguished from its target only if its expected target is known.
 */
export async function lookAt(path: string, expected: PathState, fs: FileSystem): Promise<Present> {
  if (expected.kind === "link" && (await isLink(path, expected.target, fs))) return expected;
  try {
    return { kind: "file", ...(await fs.load(path)) };
  } catch (error) {
    if (!ToolError.isInstance(error)) throw error;
    const found = await findStat(path, fs);
    if (found === undefined) return { kind: "absent" };
    const { kind, version } = found;
    if (kind !== "file") return { kind, version };
    if (error.code === "secret-file") return { kind: "secret", version };
    throw error;
  }
}

// A link and its target have the same version.
async function isLink(path: string, target: string, fs: FileSystem): Promise<boolean> {
  const parent = path.slice(0, path.lastIndexOf("/"));
  const end = target.startsWith("/") ? target : `${parent}/${target}`;
  const [link, led] = await Promise.all([findStat(path, fs), findStat(end, fs)]);
  return link !== undefined && link.version === led?.version;
}

async function findStat(path: string, fs: FileSystem): Promise<FileStat | undefined> {
  try {
    return await fs.stat(path);
  } catch (error) {
    if (ToolError.isInstance(error) && error.code === "not-found") return undefined;
    throw error;
  }
}
