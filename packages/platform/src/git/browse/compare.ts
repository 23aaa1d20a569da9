import type { RepositoryContext } from "../look-up.ts";
import { lookUp } from "../look-up.ts";
import { normalisePath } from "../repository-path.ts";
import { runGit } from "../run-git.ts";
import { type ChangedFile, readChangedFiles } from "./changed-files.ts";
import { findCommit } from "./find-commit.ts";
import type { Difference, FileDifference } from "./repository-browser.ts";

/** Limits of a returned difference. */
const differenceLimits = {
  files: 1_000,
  patchBytes: 2 * 1024 * 1024,
  filePatchCharacters: 256 * 1024,
};

// The empty tree, which every repository knows without storing it.
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const options = ["-r", "-M", "--no-ext-diff", "--no-textconv", "--no-color", "--full-index"];

/** Compares two commits. Default for `from`: the parent of `to`. */
export async function compare(
  repository: RepositoryContext,
  query: {
    readonly from?: string | undefined;
    readonly to?: string | undefined;
    readonly path?: string | undefined;
  },
): Promise<Difference> {
  const path = normalisePath(query.path ?? "");
  const to = await findCommit(repository, query.to);
  const from =
    query.from === undefined
      ? await findParent(repository, to)
      : await findCommit(repository, query.from);
  if (from === undefined && to === undefined) return { from, to, files: [], truncated: false };
  const places = [from ?? emptyTree, to ?? emptyTree, "--", ...(path === "" ? [] : [path])];
  const run = (form: readonly string[], maxBytes?: number): ReturnType<typeof runGit> =>
    runGit(
      repository.git,
      [`--git-dir=${repository.path}`, "diff-tree", ...options, ...form, ...places],
      {
        signal: repository.signal,
        ...(maxBytes === undefined ? {} : { maxBytes }),
      },
    );
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
  repository: RepositoryContext,
  commit: string | undefined,
): Promise<string | undefined> {
  if (commit === undefined) return undefined;
  const [parent] = await lookUp(repository, [`${commit}^1`]);
  return parent?.hash;
}

/**
 * Patches come in the files' order. A file whose type changed has two: its deletion and its
 * creation.
 */
function joinPatches(
  files: readonly ChangedFile[],
  patches: readonly Patch[],
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

/** The patch of one file. */
interface Patch {
  readonly text: string;
  /** Whether its end is missing. */
  readonly isCutOff: boolean;
}

/**
 * Splits a patch of many files into one per file. Only a header line starts with `diff --git`: lines
 * of content start with a space or a sign.
 */
function splitPatches(text: string, options: { readonly isCutOff: boolean }): readonly Patch[] {
  const texts = text.split(/(?<=^|\n)(?=diff --git )/).filter((part) => part !== "");
  return texts.map((part, index) => ({
    text: part,
    isCutOff: options.isCutOff && index === texts.length - 1,
  }));
}
