import type { RepositoryPlace } from "../look-up.ts";
import { lookUp } from "../look-up.ts";
import { normalisePath } from "../repository-path.ts";
import { runGit } from "../run-git.ts";
import { type ChangedFile, readChangedFiles } from "./changed-files.ts";
import { findCommit } from "./find-commit.ts";
import { splitPatches } from "./patches.ts";
import type { Difference, FileDifference } from "./repository-browser.ts";

/** How much of a difference is given. */
const differenceLimits = {
  files: 1_000,
  patchBytes: 2 * 1024 * 1024,
  filePatchCharacters: 256 * 1024,
};

// What every repository knows without holding it: a tree with nothing in it.
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const options = ["-r", "-M", "--no-ext-diff", "--no-textconv", "--no-color", "--full-index"];

/** Compares two commits; without `from` what the commit `to` changed. */
export async function compare(
  place: RepositoryPlace,
  query: {
    readonly from?: string | undefined;
    readonly to?: string | undefined;
    readonly path?: string | undefined;
  },
): Promise<Difference> {
  const path = normalisePath(query.path ?? "");
  const to = await findCommit(place, query.to);
  const from =
    query.from === undefined ? await findParent(place, to) : await findCommit(place, query.from);
  if (from === undefined && to === undefined) return { from, to, files: [], truncated: false };
  const places = [from ?? emptyTree, to ?? emptyTree, "--", ...(path === "" ? [] : [path])];
  const run = (form: readonly string[], mostBytes?: number): ReturnType<typeof runGit> =>
    runGit(place.git, [`--git-dir=${place.path}`, "diff-tree", ...options, ...form, ...places], {
      signal: place.signal,
      ...(mostBytes === undefined ? {} : { mostBytes }),
    });
  const [list, patch] = await Promise.all([
    run(["-z", "--raw", "--numstat"]),
    run(["--patch"], differenceLimits.patchBytes),
  ]);
  const changed = readChangedFiles(list.output.toString("utf8"), { isCutOff: list.truncated });
  const patches = splitPatches(patch.output.toString("utf8"), { isCutOff: patch.truncated });
  const files = joinPatches(changed.slice(0, differenceLimits.files), patches);
  return {
    from,
    to,
    files,
    truncated:
      list.truncated ||
      changed.length > differenceLimits.files ||
      files.some(({ truncated }) => truncated),
  };
}

async function findParent(
  place: RepositoryPlace,
  commit: string | undefined,
): Promise<string | undefined> {
  if (commit === undefined) return undefined;
  const [parent] = await lookUp(place, [`${commit}^1`]);
  return parent?.hash;
}

/** Patches come in the files' order; what became another kind of file has two: its end and its start. */
function joinPatches(
  files: readonly ChangedFile[],
  patches: readonly { readonly text: string; readonly isCutOff: boolean }[],
): readonly FileDifference[] {
  let next = 0;
  return files.map((file) => {
    const count = file.status === "type-changed" ? 2 : 1;
    const own = patches.slice(next, next + count);
    next += count;
    const text = own.map((patch) => patch.text).join("");
    return {
      ...file,
      patch: own.length === 0 ? undefined : text.slice(0, differenceLimits.filePatchCharacters),
      truncated:
        own.length < count ||
        own.some((patch) => patch.isCutOff) ||
        text.length > differenceLimits.filePatchCharacters,
    };
  });
}
