import { Problem } from "../../problem.ts";
import { lookUp, type RepositoryPlace } from "../look-up.ts";
import { isReferenceName } from "../reference-name.ts";
import { releaseBranch } from "../release-branch.ts";
import { toShownName } from "../shown-name.ts";

/**
 * The commit that somebody means: a branch, a tag or a commit's hash, never an expression. Without
 * one the default branch; `undefined` where that was not pushed yet.
 */
export async function findCommit(
  place: RepositoryPlace,
  ref: string | undefined,
): Promise<string | undefined> {
  if (ref === undefined) return await findFirst(place, defaultBranches(place));
  const isHash = /^[0-9a-f]{7,40}$/.test(ref);
  const names = isReferenceName(ref) ? [`refs/heads/${ref}`, `refs/tags/${ref}`] : [];
  const found = await findFirst(place, [...names, ...(isHash ? [ref] : [])]);
  if (found !== undefined) return found;
  // What will be the default branch exists, in a way, before the first push to it.
  if (ref === "main" && (await findFirst(place, defaultBranches(place))) === undefined) {
    return undefined;
  }
  throw new Problem(
    404,
    `There is no branch, tag or commit ${toShownName(ref)} in the repository. GET …/tool/repository/branches lists the branches.`,
  );
}

function defaultBranches(place: RepositoryPlace): readonly string[] {
  return ["refs/heads/main", `refs/heads/${releaseBranch(place.organization)}`];
}

async function findFirst(
  place: RepositoryPlace,
  names: readonly string[],
): Promise<string | undefined> {
  const found = await lookUp(
    place,
    names.map((name) => `${name}^{commit}`),
  );
  return found.find((object) => object !== undefined)?.hash;
}
