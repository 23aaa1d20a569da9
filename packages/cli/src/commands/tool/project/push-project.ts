import { Buffer } from "node:buffer";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toVisibleLine } from "@haft/core";
import type { PlatformClient } from "@haft/platform/client";
import type { Io } from "../../../io.ts";
import type { Project } from "./find-project.ts";
import { git, type Remote, tryGit } from "./git.ts";

/** What to push and where to. */
export interface Push {
  readonly project: Project;
  readonly branch: string;
  readonly remote: Remote;
}

/** How git reaches the organization's repository. */
export async function findRemote(client: PlatformClient, apiKey: string): Promise<Remote> {
  const { organization, user_id } = await client.whoami();
  const basic = Buffer.from(`${organization}_${user_id}:${apiKey}`).toString("base64");
  return { url: await client.repository.remote(), authorization: `Basic ${basic}` };
}

/**
 * Pushes the project's folder as it is now, as one commit on top of what the branch has. Nothing else
 * of the repository around it is pushed, and there need not be one.
 */
export async function pushProject({ project, branch, remote }: Push, io: Io): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "haft-push-"));
  const inScratch = (words: readonly string[], more: object = {}): Promise<string> =>
    git(scratch, ["--git-dir", scratch, "--work-tree", scratch, ...words], { io, ...more });
  try {
    await git(scratch, ["init", "--quiet", "--bare"], { io });
    const parent = await fetchBranch(scratch, { branch, remote }, io);
    const environment = { GIT_INDEX_FILE: join(scratch, "project-index") };
    const work = ["--git-dir", scratch, "--work-tree", project.directory];
    await git(project.directory, [...work, "add", "--all", "."], { io, environment });
    const folder = await inScratch(["write-tree"], { environment });
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
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Gets what the branch has; `undefined` if there is no such branch yet. */
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

// Who has told git no name still publishes; the platform knows by the key who it was.
async function findAuthor({ directory }: Project, io: Io): Promise<readonly string[]> {
  const read = async (name: string): Promise<string> =>
    (await tryGit(directory, ["config", name], { io })).stdout.trim();
  const name = (await read("user.name")) || "haft tool publish";
  const email = (await read("user.email")) || "haft@localhost";
  return ["-c", `user.name=${name}`, "-c", `user.email=${email}`];
}

/**
 * Says what is different between the folder and what the platform will take. Returns whether there
 * is such a branch at all.
 */
export async function warnOfDifference(push: Push, io: Io): Promise<boolean> {
  const { project, branch, remote } = push;
  const { directory, root } = project;
  const name = `refs/heads/${branch}`;
  const listed = await git(directory, ["ls-remote", remote.url, name], { io, remote });
  const there = listed.split(/\s/u)[0] ?? "";
  if (there === "") return false;
  if (root === undefined) return true;
  const changed = await git(directory, ["status", "--porcelain", "--", "."], { io });
  if (changed !== "") {
    const count = changed.split("\n").length;
    const what = count === 1 ? "1 file" : `${count} files`;
    warn(`${what} in ${directory} changed since the last commit; --push takes them along`, io);
  }
  const head = await tryGit(root, ["rev-parse", "HEAD"], { io });
  const here = head.stdout.trim();
  if (head.exitCode === 0 && here !== there) {
    const [theirs, ours] = [there.slice(0, 10), here.slice(0, 10)];
    warn(`${branch} is at ${theirs}, and you are at ${ours}; --push pushes this folder`, io);
  }
  return true;
}

function warn(text: string, io: Io): void {
  io.error(`haft: ${toVisibleLine(text)}\n`);
}
