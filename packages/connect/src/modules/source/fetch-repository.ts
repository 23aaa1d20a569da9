import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readSmallFile, toGitEnvironment } from "@haft/computer/internal";
import { toErrorMessage } from "@haft/contract/internal";
import type { FetchOptions } from "./fetch-options.ts";
import { type RepositorySource, withoutPassword } from "./module-source.ts";
import { runFetcher } from "./run-fetcher.ts";

const freshForMs = 24 * 60 * 60 * 1000;

/**
 * Returns the directory of a repository's files and fetches it if needed. A branch is fetched again
 * after a day; if that fails, the earlier copy is used.
 */
export async function fetchRepository(
  source: RepositorySource,
  options: FetchOptions,
): Promise<string> {
  const home = join(options.cacheDirectory, "git", keyOf(source));
  const kept = await readKept(home);
  if (kept !== undefined && !options.refresh && isFresh(source, kept)) return kept.directory;
  try {
    return await fetch(source, home, options);
  } catch (error) {
    if (kept === undefined) throw error;
    options.warn(
      `${withoutPassword(source.url)} could not be fetched again, so the earlier copy is used. ${toErrorMessage(error)}`,
    );
    return kept.directory;
  }
}

interface Kept {
  readonly directory: string;
  readonly fetchedAt: number;
}

function keyOf({ url, ref }: RepositorySource): string {
  return createHash("sha256")
    .update(JSON.stringify([url, ref]))
    .digest("hex")
    .slice(0, 24);
}

// A commit never changes.
function isFresh({ ref }: RepositorySource, { fetchedAt }: Kept): boolean {
  if (ref !== undefined && /^[0-9a-f]{40}$/u.test(ref)) return true;
  return Math.abs(Date.now() - fetchedAt) < freshForMs;
}

async function readKept(home: string): Promise<Kept | undefined> {
  try {
    const { commit, fetchedAt } = JSON.parse(readSmallFile(join(home, "head.json")) ?? "");
    if (!/^[0-9a-f]{40,64}$/u.test(commit) || typeof fetchedAt !== "number") return undefined;
    const directory = join(home, commit);
    return (await stat(directory)).isDirectory() ? { directory, fetchedAt } : undefined;
  } catch {
    return undefined;
  }
}

async function fetch(
  source: RepositorySource,
  home: string,
  options: FetchOptions,
): Promise<string> {
  await mkdir(home, { recursive: true });
  const scratch = await mkdtemp(join(home, "new-"));
  try {
    const git = (...args: string[]): Promise<string> =>
      runFetcher({
        program: "git",
        args,
        cwd: scratch,
        // A repository is only data until its module is mounted: nothing of it may run while it is fetched.
        environment: {
          ...toGitEnvironment(options.environment, { protocols: ["https", "ssh", "file"] }),
          GIT_LFS_SKIP_SMUDGE: "1",
        },
      });
    await git("init", "--quiet", "--template=");
    await git(
      "fetch",
      "--quiet",
      "--depth=1",
      "--no-tags",
      "--no-recurse-submodules",
      "--",
      source.url,
      source.ref ?? "HEAD",
    );
    await git("checkout", "--quiet", "--detach", "FETCH_HEAD");
    const commit = (await git("rev-parse", "HEAD")).trim();
    const directory = join(home, commit);
    // Another process may have been faster; the content of a commit is always the same.
    await rename(scratch, directory).catch(() => stat(directory));
    const head = join(home, `head-${process.pid}.json`);
    await writeFile(head, JSON.stringify({ commit, fetchedAt: Date.now() }));
    await rename(head, join(home, "head.json"));
    return directory;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
