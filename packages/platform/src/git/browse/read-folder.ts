import { Problem } from "../../problem.ts";
import { toShownName } from "../../shown-name.ts";
import { listTree } from "../list-tree.ts";
import { lookUp, type RepositoryContext } from "../look-up.ts";
import { normalisePath } from "../repository-path.ts";
import { findCommit } from "./find-commit.ts";
import type { BrowseLocation, Folder } from "./repository-browser.ts";

const maxEntries = 20_000;

/** Lists a folder at a commit. */
export async function readFolder(
  repository: RepositoryContext,
  wanted: BrowseLocation,
): Promise<Folder> {
  const path = normalisePath(wanted.path ?? "");
  const commit = await findCommit(repository, wanted.ref);
  if (commit === undefined && path === "") return { commit, path, entries: [] };
  const [tree] = commit === undefined ? [] : await lookUp(repository, [`${commit}:${path}`]);
  if (tree?.type !== "tree") {
    throw new Problem(
      404,
      `There is no folder ${toShownName(path)} at that commit. Check path and ref.`,
    );
  }
  const entries = await listTree(repository, { tree: tree.hash });
  if (entries === undefined || entries.length > maxEntries) {
    throw new Problem(
      413,
      `The folder holds more than ${maxEntries} entries. Clone the repository to see them.`,
    );
  }
  return {
    commit,
    path,
    entries: entries.map(({ path: name, type, mode, size }) => ({
      name,
      path: path === "" ? name : `${path}/${name}`,
      type,
      mode,
      size,
    })),
  };
}
