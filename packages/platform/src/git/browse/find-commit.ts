import { Problem } from "../../problem.ts";
import { toShownName } from "../../shown-name.ts";
import { lookUp, type RepositoryContext } from "../look-up.ts";
import { isReferenceName } from "../reference-name.ts";
import { releaseBranch } from "../release-branch.ts";

/**
 * Resolves a branch, a tag or a commit hash, never a revision expression. Default: the default
 * branch. Returns `undefined` if the default branch was not pushed yet.
 */
export async function findCommit(
  repository: RepositoryContext,
  ref: string | undefined,
): Promise<string | undefined> {
  if (ref === undefined) return await findFirst(repository, defaultBranches(repository));
  const isHash = /^[0-9a-f]{7,40}$/.test(ref);
  const names = isReferenceName(ref) ? [`refs/heads/${ref}`, `refs/tags/${ref}`] : [];
  const found = await findFirst(repository, [...names, ...(isHash ? [ref] : [])]);
  if (found !== undefined) return found;
  // Before its first push, `main` counts as an empty default branch.
  if (ref === "main" && (await findFirst(repository, defaultBranches(repository))) === undefined) {
    return undefined;
  }
  throw new Problem(
    404,
    `There is no branch, tag or commit ${toShownName(ref)} in the repository. GET …/tool/repository/branches lists the branches.`,
  );
}

function defaultBranches(repository: RepositoryContext): readonly string[] {
  return ["refs/heads/main", `refs/heads/${releaseBranch(repository.organization)}`];
}

async function findFirst(
  repository: RepositoryContext,
  names: readonly string[],
): Promise<string | undefined> {
  const found = await lookUp(
    repository,
    names.map((name) => `${name}^{commit}`),
  );
  return found.find((object) => object !== undefined)?.hash;
}
