import { Problem } from "../../problem.ts";
import { toShownName } from "../../shown-name.ts";
import { listTree } from "../list-tree.ts";
import type { RepositoryContext } from "../look-up.ts";
import { normalisePath } from "../repository-path.ts";
import { runGit } from "../run-git.ts";
import { findCommit } from "./find-commit.ts";
import type { BrowseLocation, RepositoryFile } from "./repository-browser.ts";

/** Reads a file, or the target of a link, at a commit. */
export async function readFile(
  repository: RepositoryContext,
  wanted: BrowseLocation & { readonly maxBytes: number },
): Promise<RepositoryFile> {
  const path = normalisePath(wanted.path ?? "");
  const commit = await findCommit(repository, wanted.ref);
  const [entry] =
    commit === undefined || path === ""
      ? []
      : ((await listTree(repository, { tree: commit, only: path })) ?? []);
  if (commit === undefined || entry === undefined) {
    throw new Problem(
      404,
      `There is no file ${toShownName(path)} at that commit. Check path and ref.`,
    );
  }
  const { type, mode, hash, size = 0 } = entry;
  if (type !== "file" && type !== "symlink") {
    const kind = type === "directory" ? "a folder" : "a submodule";
    throw new Problem(404, `${toShownName(path)} is ${kind}, not a file.`);
  }
  if (size > wanted.maxBytes) {
    throw new Problem(
      413,
      `${toShownName(path)} has ${size} bytes, more than the limit of ${wanted.maxBytes}. Request it with raw=true, or clone the repository.`,
    );
  }
  const { output } = await runGit(
    repository.git,
    [`--git-dir=${repository.path}`, "cat-file", "blob", hash],
    { maxBytes: wanted.maxBytes, signal: repository.signal },
  );
  return { commit, path, type, mode, content: output };
}
