import { Buffer } from "node:buffer";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toVisibleLine } from "@haft/core/internal";
import type { PlatformClient } from "@haft/platform/client";
import type { Io } from "../../../io.ts";
import type { Project } from "./find-project.ts";
import { git, type Remote, tryGit } from "./git.ts";

/** A push: what, and to which branch of which remote. */
export interface Push {
  readonly project: Project;
  readonly branch: string;
  readonly remote: Remote;
}

/** Returns the address of the organization's repository and the credentials for it. */
export async function findRemote(client: PlatformClient, apiKey: string): Promise<Remote> {
  const { organization, user_id } = await client.whoami();
  const basic = Buffer.from(`${organization}_${user_id}:${apiKey}`).toString("base64");
  return { url: await client.repository.remote(), authorization: `Basic ${basic}` };
}

/**
 * Pushes the project's folder as it is now, as one commit on top of the branch. Nothing else of the
 * surrounding repository is pushed, and the folder need not be in one.
 */
export function pushProject({ project, branch, remote }: Push, io: Io): Promise<void> {
  return withScratch(io, async (scratch) => {
    const inScratch = (words: readonly string[], more: object = {}): Promise<string> =>
      git(scratch, ["--git-dir", scratch, "--work-tree", scratch, ...words], { io, ...more });
    const parent = await fetchBranch(scratch, { branch, remote }, io);
    const inFolder = await addFolder(scratch, project, io);
    const folder = await inFolder(["write-tree"]);
    if (parent !== undefined) await inScratch(["read-tree", parent]);
    const remove = ["rm", "-r", "--cached", "--quiet", "--ignore-unmatch"];
    await inScratch([...remove, "--", project.path]);
    await inScratch(["read-tree", `--prefix=${project.path}/`, folder]);
    const tree = await inScratch(["write-tree"]);
    if (parent !== undefined && tree === (await inScratch(["rev-parse", `${parent}^{tree}`]))) {
      return;
    }
    const commit = await inScratch([
      ...(await findAuthor(project, io)),
      ...["commit-tree", tree, "-m", `Publish ${project.name ?? project.path}`],
      ...(parent === undefined ? [] : ["-p", parent]),
    ]);
    await inScratch(["push", "--quiet", remote.url, `${commit}:refs/heads/${branch}`], { remote });
  });
}

/**
 * Runs work in an empty temporary repository. Commands that would run programs from a repository's
 * configuration, or send the key to an address from it, run there.
 */
async function withScratch<T>(io: Io, work: (scratch: string) => Promise<T>): Promise<T> {
  const scratch = mkdtempSync(join(tmpdir(), "haft-push-"));
  try {
    await git(scratch, ["init", "--quiet", "--bare", "--template="], { io });
    return await work(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Adds everything in the folder to a temporary index and returns a function that runs git on it. */
async function addFolder(
  scratch: string,
  { directory }: Project,
  io: Io,
): Promise<(words: readonly string[]) => Promise<string>> {
  const environment = { GIT_INDEX_FILE: join(scratch, "project-index") };
  const location = ["--git-dir", scratch, "--work-tree", directory];
  const run = (words: readonly string[]): Promise<string> =>
    git(directory, [...location, ...words], { io, environment });
  await run(["add", "--all", "."]);
  return run;
}

/** Returns the paths of the folder's files that would be pushed, which are those that git does not ignore. */
export function listProjectFiles(directory: string, io: Io): Promise<readonly string[]> {
  return withScratch(io, async (scratch) => {
    const location = ["--git-dir", scratch, "--work-tree", directory];
    const words = ["ls-files", "--others", "--exclude-standard", "-z"];
    const listed = await git(directory, [...location, ...words], { io });
    return listed.split("\0").filter((path) => path !== "");
  });
}

/** Fetches the branch and returns its commit; `undefined` if it does not exist yet. */
async function fetchBranch(
  scratch: string,
  { branch, remote }: Pick<Push, "branch" | "remote">,
  io: Io,
): Promise<string | undefined> {
  const name = `refs/heads/${branch}`;
  const listed = await git(scratch, ["ls-remote", remote.url, name], { io, remote });
  if (listed === "") return undefined;
  await git(scratch, ["fetch", "--quiet", "--depth=1", remote.url, name], { io, remote });
  return git(scratch, ["rev-parse", "FETCH_HEAD"], { io });
}

// Publishing works without a configured name; the platform identifies the user by the key.
async function findAuthor({ directory }: Project, io: Io): Promise<readonly string[]> {
  const read = async (name: string): Promise<string> =>
    (await tryGit(directory, ["config", name], { io })).stdout.trim();
  const name = (await read("user.name")) || "haft tool publish";
  const email = (await read("user.email")) || "haft@localhost";
  return ["-c", `user.name=${name}`, "-c", `user.email=${email}`];
}

/**
 * Warns if the folder differs from what the platform will use. Returns whether the branch exists.
 */
export function warnOfDifference(push: Push, io: Io): Promise<boolean> {
  const { project, branch, remote } = push;
  return withScratch(io, async (scratch) => {
    const name = `refs/heads/${branch}`;
    const listed = await git(scratch, ["ls-remote", remote.url, name], { io, remote });
    const there = listed.split(/\s/u)[0] ?? "";
    if (there === "") return false;
    if (project.root === undefined) return true;
    const count = await countChanges(scratch, project, io);
    if (count > 0) {
      const what = count === 1 ? "1 file" : `${count} files`;
      warn(
        `${what} in ${project.directory} changed since the last commit; --push includes them`,
        io,
      );
    }
    const head = await tryGit(project.root, ["rev-parse", "HEAD"], { io });
    const here = head.stdout.trim();
    if (head.exitCode === 0 && here !== there) {
      const [theirs, ours] = [there.slice(0, 10), here.slice(0, 10)];
      warn(`${branch} is at ${theirs} but HEAD is at ${ours}; --push pushes this folder`, io);
    }
    return true;
  });
}

// `git status` would run the filters and the monitor that the repository configures.
async function countChanges(scratch: string, project: Project, io: Io): Promise<number> {
  const inFolder = await addFolder(scratch, project, io);
  const here = readEntries(await inFolder(["ls-files", "--stage", "-z"]));
  const listed = await tryGit(project.directory, ["ls-tree", "-r", "-z", "HEAD"], { io });
  const committed = readEntries(listed.stdout);
  const paths = new Set([...here.keys(), ...committed.keys()]);
  return [...paths].filter((path) => here.get(path) !== committed.get(path)).length;
}

/** Parses the output of `ls-files` or `ls-tree` into the mode and object of each file. */
function readEntries(output: string): ReadonlyMap<string, string> {
  const form = /^(\d+) (?:\w+ )?([0-9a-f]{40,64})(?: \d)?\t(.*)$/su;
  return new Map(
    output.split("\0").flatMap((line) => {
      const [, mode, object, path] = form.exec(line) ?? [];
      return path === undefined ? [] : [[path, `${mode} ${object}`] as const];
    }),
  );
}

function warn(text: string, io: Io): void {
  io.error(`haft: ${toVisibleLine(text)}\n`);
}
