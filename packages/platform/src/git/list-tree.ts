import type { RepositoryContext } from "./look-up.ts";
import { runGit } from "./run-git.ts";

/** An entry of a folder at a commit. */
export interface ListedEntry {
  /** Six octal digits. */
  readonly mode: string;
  readonly type: "file" | "directory" | "symlink" | "submodule";
  readonly hash: string;
  /** The size of a file or link. */
  readonly size: number | undefined;
  /** Relative to the listed folder. */
  readonly path: string;
}

/** Selects what to list. */
export interface TreeListing {
  /** The hash of a tree or commit. */
  readonly tree: string;
  /** Lists only this entry, not its contents. */
  readonly only?: string;
  readonly recursive?: boolean;
}

/** Lists a folder; `undefined` if it is too large. */
export async function listTree(
  repository: RepositoryContext,
  listing: TreeListing,
): Promise<readonly ListedEntry[] | undefined> {
  const { output, truncated } = await runGit(
    repository.git,
    [
      `--git-dir=${repository.path}`,
      "ls-tree",
      "-z",
      "--long",
      "--full-tree",
      ...(listing.recursive === true ? ["-r"] : []),
      listing.tree,
      "--",
      ...(listing.only === undefined ? [] : [listing.only]),
    ],
    { signal: repository.signal },
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
