import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { checkTrees } from "./check-trees.ts";
import type { Git, GitStart } from "./git-process.ts";
import type { ReferenceUpdate } from "./push-hooks.ts";
import { readLines } from "./read-lines.ts";
import { isReferenceName } from "./reference-name.ts";
import { releaseBranch } from "./release-branch.ts";
import { runGit } from "./run-git.ts";
import { toShownName } from "./shown-name.ts";

/** A push that has come, and is not taken yet. */
export interface WaitingPush {
  readonly git: Git;
  /** The directory of the repository, and the name of what in it holds what came. */
  readonly path: string;
  readonly quarantine: string | undefined;
  readonly organization: string;
  readonly updates: readonly ReferenceUpdate[];
  /** No object can be larger. */
  readonly mostObjectBytes: number;
  readonly signal?: AbortSignal | undefined;
}

const mostUpdates = 1_000;
const checkMs = 120_000;

/** Says what is wrong with a push beyond what git's own checks find; `undefined` if nothing is. */
export async function checkPush(push: WaitingPush): Promise<string | undefined> {
  if (push.updates.length > mostUpdates) {
    return `The push changes ${push.updates.length} branches and tags. Push at most ${mostUpdates} at a time.`;
  }
  for (const update of push.updates) {
    const complaint = judgeName(push, update) ?? (await judgeRelease(push, update));
    if (complaint !== undefined) return complaint;
  }
  return await judgeObjects(push);
}

function judgeName(push: WaitingPush, { name }: ReferenceUpdate): string | undefined {
  if (!name.startsWith("refs/heads/") && !name.startsWith("refs/tags/")) {
    return `${toShownName(name)} can't be pushed: only branches and tags can.`;
  }
  if (!isReferenceName(name.replace(/^refs\/(heads|tags)\//, ""))) {
    return `${toShownName(name)} can't be the name of a branch or tag. Choose another.`;
  }
  const release = releaseBranch(push.organization);
  // In any case: on some file systems they would be the same file.
  if (/^refs\/heads\/releases(\/|$)/i.test(name) && name !== `refs/heads/${release}`) {
    return `${toShownName(name.slice("refs/heads/".length))} can't be pushed: the branch that publishes is ${release}, and no other begins with "releases".`;
  }
  return undefined;
}

async function judgeRelease(
  push: WaitingPush,
  update: ReferenceUpdate,
): Promise<string | undefined> {
  const release = releaseBranch(push.organization);
  if (update.name !== `refs/heads/${release}` || isNothing(update.before)) return undefined;
  if (isNothing(update.after)) {
    return `${release} can't be deleted: what was published from it must stay.`;
  }
  const { code } = await runGit(
    push.git,
    [`--git-dir=${push.path}`, "merge-base", "--is-ancestor", update.before, update.after],
    { ...inQuarantine(push), codes: [1] },
  );
  if (code === 0) return undefined;
  return `${release} can't be rewound: what was published from it must stay. Fetch it and put your commits on top.`;
}

/** Lists what the push brings, looks at its sizes, and then into its folders. */
async function judgeObjects(push: WaitingPush): Promise<string | undefined> {
  const tips = push.updates.map(({ after }) => after).filter((hash) => !isNothing(hash));
  if (tips.length === 0) return undefined;
  const gitDirectory = `--git-dir=${push.path}`;
  const options = inQuarantine(push);
  const listing = push.git.start(
    [gitDirectory, "rev-list", "--objects", "--stdin", "--not", "--all"],
    options,
  );
  listing.stdin.end(tips.map((hash) => `${hash}\n`).join(""));
  const sizing = push.git.start(
    [
      gitDirectory,
      "cat-file",
      "--buffer",
      "--batch-check=%(objectname) %(objecttype) %(objectsize) %(rest)",
    ],
    options,
  );
  const piped = pipeline(listing.stdout, sizing.stdin).catch(() => {});
  const trees: string[] = [];
  for await (const line of readLines(sizing.stdout)) {
    const [hash = "", type = "", size = "", ...path] = line.split(" ");
    if (Number(size) > push.mostObjectBytes) {
      listing.stop();
      sizing.stop();
      const shown = path.length > 0 ? toShownName(path.join(" ")) : `The object ${hash}`;
      return `${shown} has ${size} bytes. Nothing can have more than ${push.mostObjectBytes}: keep it elsewhere.`;
    }
    if (type === "tree") trees.push(hash);
  }
  await piped;
  const ends = await Promise.all([listing.ended, sizing.ended]);
  for (const { code, stopped, errors } of ends) {
    if (stopped === "timeout")
      return "Checking the push took too long. Push a part of the commits.";
    // Git itself gives up on folders that are nested a hundred thousand deep.
    if (code === null && stopped === undefined) {
      return "What the push brings can't be read: its folders are nested too deep.";
    }
    if (code !== 0) throw new Error(`Checking a push failed: ${errors}`);
  }
  return await checkTrees(trees, () =>
    push.git.start([gitDirectory, "cat-file", "--buffer", "--batch"], options),
  );
}

/** What came is seen beside what is there, and nowhere else. */
function inQuarantine(push: WaitingPush): GitStart {
  const objects = join(push.path, "objects");
  const common = { timeoutMs: checkMs, signal: push.signal };
  if (push.quarantine === undefined) return common;
  return {
    ...common,
    environment: {
      GIT_OBJECT_DIRECTORY: join(objects, push.quarantine),
      // In quotes, a colon in it separates nothing.
      GIT_ALTERNATE_OBJECT_DIRECTORIES: `"${objects.replace(/["\\]/g, "\\$&")}"`,
      GIT_QUARANTINE_PATH: join(objects, push.quarantine),
    },
  };
}

function isNothing(hash: string): boolean {
  return /^0+$/.test(hash);
}
