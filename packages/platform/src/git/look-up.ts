import type { Git } from "./git-process.ts";
import { runGit } from "./run-git.ts";

/** A repository that is read, by whom. */
export interface RepositoryPlace {
  readonly git: Git;
  /** Its directory. */
  readonly path: string;
  readonly organization: string;
  readonly signal?: AbortSignal | undefined;
}

/** An object of a repository. */
export interface FoundObject {
  readonly hash: string;
  readonly type: string;
  readonly size: number;
}

/** Looks objects up by git's own expressions, which must have been checked; in their order. */
export async function lookUp(
  place: RepositoryPlace,
  expressions: readonly string[],
): Promise<readonly (FoundObject | undefined)[]> {
  const { output } = await runGit(
    place.git,
    [`--git-dir=${place.path}`, "cat-file", "--batch-check"],
    { input: expressions.map((expression) => `${expression}\n`).join(""), signal: place.signal },
  );
  const lines = output.toString("utf8").split("\n");
  return expressions.map((_, index) => {
    const found = /^([0-9a-f]{40,64}) ([a-z]+) (\d+)$/.exec(lines[index] ?? "");
    if (found === null) return undefined;
    const [, hash = "", type = "", size = ""] = found;
    return { hash, type, size: Number(size) };
  });
}
