import { Problem } from "../../problem.ts";
import { toShownName } from "../../shown-name.ts";
import type { RepositoryContext } from "../look-up.ts";
import { normalisePath } from "../repository-path.ts";
import { runGit } from "../run-git.ts";
import { findCommit } from "./find-commit.ts";
import { fromPageToken, type PagePosition, toPageToken } from "./page-token.ts";
import type { BrowseLocation, Commit, Page, PageQuery } from "./repository-browser.ts";

const fields = ["%H", "%P", "%an", "%ae", "%at", "%s", "%b"];
const maxBodyCharacters = 65_536;

/**
 * Lists commits, newest first. All pages start from the commit of the first page, whatever
 * is pushed meanwhile.
 */
export async function listCommits(
  repository: RepositoryContext,
  query: BrowseLocation & PageQuery,
): Promise<Page<Commit>> {
  const path = normalisePath(query.path ?? "");
  const position = await findPosition(repository, query);
  if (position === undefined) return { items: [], continuationToken: undefined };
  const { output, truncated } = await runGit(
    repository.git,
    [
      `--git-dir=${repository.path}`,
      "log",
      "-z",
      `--format=${fields.join("%x00")}`,
      `--skip=${position.skip}`,
      `--max-count=${query.limit + 1}`,
      position.start,
      "--",
      ...(path === "" ? [] : [path]),
    ],
    { signal: repository.signal },
  );
  if (truncated) {
    throw new Problem(400, "The commits' messages are too long for one page. Lower the limit.");
  }
  const commits = toCommits(output.toString("utf8").split("\0"));
  if (commits.length === 0 && path !== "" && position.skip === 0) {
    throw new Problem(404, `No commit has changed ${toShownName(path)}. Check the path.`);
  }
  return {
    items: commits.slice(0, query.limit),
    continuationToken:
      commits.length > query.limit
        ? toPageToken({ start: position.start, skip: position.skip + query.limit })
        : undefined,
  };
}

async function findPosition(
  repository: RepositoryContext,
  query: BrowseLocation & PageQuery,
): Promise<PagePosition | undefined> {
  if (query.continuationToken === undefined) {
    const start = await findCommit(repository, query.ref);
    return start === undefined ? undefined : { start, skip: 0 };
  }
  const { start, skip } = fromPageToken(query.continuationToken);
  const commit = await findCommit(repository, start);
  return commit === undefined ? undefined : { start: commit, skip };
}

function toCommits(texts: readonly string[]): readonly Commit[] {
  const commits: Commit[] = [];
  for (let at = 0; at + fields.length <= texts.length; at += fields.length) {
    const [
      hash = "",
      parents = "",
      author = "",
      email = "",
      seconds = "",
      subject = "",
      body = "",
    ] = texts.slice(at, at + fields.length);
    commits.push({
      hash,
      parents: parents.split(" ").filter((parent) => parent !== ""),
      author,
      email,
      date: Number(seconds) * 1000,
      subject: subject.slice(0, maxBodyCharacters),
      body: body.trimEnd().slice(0, maxBodyCharacters),
    });
  }
  return commits;
}
