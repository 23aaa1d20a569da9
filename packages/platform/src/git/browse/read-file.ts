import { Problem } from "../../problem.ts";
import { listTree } from "../list-tree.ts";
import type { RepositoryPlace } from "../look-up.ts";
import { normalisePath } from "../repository-path.ts";
import { runGit } from "../run-git.ts";
import { toShownName } from "../shown-name.ts";
import { findCommit } from "./find-commit.ts";
import type { BrowsePlace, RepositoryFile } from "./repository-browser.ts";

/** Reads a file at a commit, or where a link points. */
export async function readFile(
  place: RepositoryPlace,
  wanted: BrowsePlace & { readonly mostBytes: number },
): Promise<RepositoryFile> {
  const path = normalisePath(wanted.path ?? "");
  const commit = await findCommit(place, wanted.ref);
  const [entry] =
    commit === undefined || path === ""
      ? []
      : ((await listTree(place, { tree: commit, only: path })) ?? []);
  if (commit === undefined || entry === undefined) {
    throw new Problem(404, `There is no file ${toShownName(path)} at that commit.`);
  }
  const { type, mode, hash, size = 0 } = entry;
  if (type !== "file" && type !== "symlink") {
    const kind = type === "directory" ? "a folder" : "a submodule";
    throw new Problem(404, `${toShownName(path)} is ${kind}, not a file.`);
  }
  if (size > wanted.mostBytes) {
    throw new Problem(
      413,
      `${toShownName(path)} has ${size} bytes, more than the ${wanted.mostBytes} that are shown. Ask with raw=true, or clone the repository.`,
    );
  }
  const { output } = await runGit(
    place.git,
    [`--git-dir=${place.path}`, "cat-file", "blob", hash],
    { mostBytes: wanted.mostBytes, signal: place.signal },
  );
  return { commit, path, type, mode, content: output };
}
