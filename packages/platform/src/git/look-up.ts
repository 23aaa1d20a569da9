import type { Git } from "./git-process.ts";
import { runGit } from "./run-git.ts";

/** A read request: repository and requesting organization. */
export interface RepositoryContext {
  readonly git: Git;
  /** The directory of the repository. */
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

/** Looks up objects by revision expressions, in their order. Validate untrusted names before. */
export async function lookUp(
  repository: RepositoryContext,
  expressions: readonly string[],
): Promise<readonly (FoundObject | undefined)[]> {
  const { output } = await runGit(
    repository.git,
    [`--git-dir=${repository.path}`, "cat-file", "--batch-check"],
    {
      input: expressions.map((expression) => `${expression}\n`).join(""),
      signal: repository.signal,
    },
  );
  const lines = output.toString("utf8").split("\n");
  return expressions.map((_, index) => {
    const found = /^([0-9a-f]{40,64}) ([a-z]+) (\d+)$/.exec(lines[index] ?? "");
    if (found === null) return undefined;
    const [, hash = "", type = "", size = ""] = found;
    return { hash, type, size: Number(size) };
  });
}
