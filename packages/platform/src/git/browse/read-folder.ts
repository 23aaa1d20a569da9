import { Problem } from "../../problem.ts";
import { listTree } from "../list-tree.ts";
import { lookUp, type RepositoryPlace } from "../look-up.ts";
import { normalisePath } from "../repository-path.ts";
import { toShownName } from "../shown-name.ts";
import { findCommit } from "./find-commit.ts";
import type { BrowsePlace, Folder } from "./repository-browser.ts";

const mostEntries = 20_000;

/** Lists what is in a folder at a commit. */
export async function readFolder(place: RepositoryPlace, wanted: BrowsePlace): Promise<Folder> {
  const path = normalisePath(wanted.path ?? "");
  const commit = await findCommit(place, wanted.ref);
  if (commit === undefined && path === "") return { commit, path, entries: [] };
  const [tree] = commit === undefined ? [] : await lookUp(place, [`${commit}:${path}`]);
  if (tree?.type !== "tree") {
    throw new Problem(404, `There is no folder ${toShownName(path)} at that commit.`);
  }
  const entries = await listTree(place, { tree: tree.hash });
  if (entries === undefined || entries.length > mostEntries) {
    throw new Problem(
      413,
      `The folder holds more than ${mostEntries} entries. Clone the repository to see them.`,
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
