import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FetchPlace } from "./fetch-place.ts";
import { type RepositorySource, withoutPassword } from "./module-source.ts";
import { runFetcher } from "./run-fetcher.ts";

const freshForMs = 24 * 60 * 60 * 1000;

/**
 * The directory with a repository's files, fetched unless it is here. A branch is looked at again
 * after a day; if it can't be had then, what is here is used.
 */
export async function fetchRepository(
  source: RepositorySource,
  place: FetchPlace,
): Promise<string> {
  const home = join(place.cacheDirectory, "git", keyOf(source));
  const kept = await readKept(home);
  if (kept !== undefined && !place.refresh && isFresh(source, kept)) return kept.directory;
  try {
    return await fetch(source, home, place);
  } catch (error) {
    if (kept === undefined) throw error;
    place.warn(
      `${withoutPassword(source.url)} could not be fetched anew, so what was fetched before is used. ${(error as Error).message}`,
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
    const { commit, fetchedAt } = JSON.parse(await readFile(join(home, "head.json"), "utf8"));
    if (!/^[0-9a-f]{40,64}$/u.test(commit) || typeof fetchedAt !== "number") return undefined;
    const directory = join(home, commit);
    return (await stat(directory)).isDirectory() ? { directory, fetchedAt } : undefined;
  } catch {
    return undefined;
  }
}

async function fetch(source: RepositorySource, home: string, place: FetchPlace): Promise<string> {
  await mkdir(home, { recursive: true });
  const scratch = await mkdtemp(join(home, "new-"));
  try {
    const git = (...args: string[]): Promise<string> =>
      runFetcher({
        program: "git",
        args: [...safely, ...args],
        cwd: scratch,
        environment: { ...place.environment, ...withoutPerson },
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
    // Another process may have been quicker; what a commit contains is the same everywhere.
    await rename(scratch, directory).catch(() => stat(directory));
    const head = join(home, `head-${process.pid}.json`);
    await writeFile(head, JSON.stringify({ commit, fetchedAt: Date.now() }));
    await rename(head, join(home, "head.json"));
    return directory;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

// A repository is data until its module is mounted: nothing of it runs while it is fetched.
const safely = [
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "protocol.ext.allow=never",
  "-c",
  "submodule.recurse=false",
];

const withoutPerson = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "true",
  SSH_ASKPASS: "true",
  GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
  GIT_ALLOW_PROTOCOL: "https:ssh:file",
  GIT_LFS_SKIP_SMUDGE: "1",
};
