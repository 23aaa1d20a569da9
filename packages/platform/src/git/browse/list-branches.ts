import type { RepositoryContext } from "../look-up.ts";
import { runGit } from "../run-git.ts";
import { fromPageToken, toPageToken } from "./page-token.ts";
import type { Branch, Page, PageQuery } from "./repository-browser.ts";

/** Lists the branches by name. A page starts after the last name of the page before. */
export async function listBranches(
  repository: RepositoryContext,
  query: PageQuery,
): Promise<Page<Branch>> {
  const after =
    query.continuationToken === undefined ? "" : fromPageToken(query.continuationToken).start;
  const { output } = await runGit(
    repository.git,
    [
      `--git-dir=${repository.path}`,
      "for-each-ref",
      "--format=%(refname)%00%(objectname)%00%(committerdate:unix)",
      "refs/heads/",
    ],
    { signal: repository.signal },
  );
  const branches = output.toString("utf8").split("\n").slice(0, -1).map(toBranch);
  const rest = branches.filter(({ name }) => name > after).sort(byName);
  const items = rest.slice(0, query.limit);
  const last = items.at(-1);
  return {
    items,
    continuationToken:
      last === undefined || rest.length <= query.limit
        ? undefined
        : toPageToken({ start: last.name, skip: 0 }),
  };
}

function toBranch(line: string): Branch {
  const [reference = "", commit = "", seconds = ""] = line.split("\0");
  return {
    name: reference.slice("refs/heads/".length),
    commit,
    updatedAt: Number(seconds) * 1000,
  };
}

function byName(one: Branch, other: Branch): number {
  return one.name < other.name ? -1 : 1;
}
