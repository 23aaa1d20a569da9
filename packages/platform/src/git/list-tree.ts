import type { RepositoryPlace } from "./look-up.ts";
import { runGit } from "./run-git.ts";

/** An entry of a folder in a commit. */
export interface ListedEntry {
  /** In octal, with six digits. */
  readonly mode: string;
  readonly type: "file" | "directory" | "symlink" | "submodule";
  readonly hash: string;
  /** Of a file or link. */
  readonly size: number | undefined;
  /** Relative to what was listed. */
  readonly path: string;
}

/** What is to be listed. */
export interface TreeListing {
  /** A tree or commit, by its hash. */
  readonly tree: string;
  /** Only this, not what is in it. */
  readonly only?: string;
  readonly recursive?: boolean;
}

/** Lists a folder; `undefined` if there is too much in it to be held. */
export async function listTree(
  place: RepositoryPlace,
  listing: TreeListing,
): Promise<readonly ListedEntry[] | undefined> {
  const { output, truncated } = await runGit(
    place.git,
    [
      `--git-dir=${place.path}`,
      "ls-tree",
      "-z",
      "--long",
      "--full-tree",
      ...(listing.recursive === true ? ["-r"] : []),
      listing.tree,
      "--",
      ...(listing.only === undefined ? [] : [listing.only]),
    ],
    { signal: place.signal },
  );
  if (truncated) return undefined;
  return output.toString("utf8").split("\0").slice(0, -1).map(toEntry);
}

function toEntry(line: string): ListedEntry {
  const tab = line.indexOf("\t");
  const [mode = "", type = "", hash = "", size = ""] = line.slice(0, tab).split(/ +/);
  return {
    mode,
    type: toType(mode, type),
    hash,
    size: size === "-" ? undefined : Number(size),
    path: line.slice(tab + 1),
  };
}

function toType(mode: string, type: string): ListedEntry["type"] {
  if (mode === "120000") return "symlink";
  if (type === "tree") return "directory";
  return type === "commit" ? "submodule" : "file";
}
