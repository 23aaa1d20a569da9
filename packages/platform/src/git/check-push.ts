import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { toShownName } from "../shown-name.ts";
import { checkTrees } from "./check-trees.ts";
import type { Git, GitStart } from "./git-process.ts";
import type { ReferenceUpdate } from "./push-hooks.ts";
import { maxPushDataBytes } from "./push-memory.ts";
import { readLines } from "./read-lines.ts";
import { isReferenceName } from "./reference-name.ts";
import { releaseBranch } from "./release-branch.ts";
import { runGit } from "./run-git.ts";

/** A received push that is not accepted yet. */
export interface WaitingPush {
  readonly git: Git;
  /**
   * The directory of the repository, and the name of its quarantine directory with the new objects.
   */
  readonly path: string;
  readonly quarantine: string | undefined;
  readonly organization: string;
  readonly updates: readonly ReferenceUpdate[];
  /** Maximum size of an object. */
  readonly maxObjectBytes: number;
  readonly signal?: AbortSignal | undefined;
}

const maxUpdates = 1_000;
const checkMs = 120_000;
const maxMessageBytes = 1_000_000;

/** Returns what is wrong with a push beyond git's own checks; `undefined` if nothing is. */
export async function checkPush(push: WaitingPush): Promise<string | undefined> {
  if (push.updates.length > maxUpdates) {
    return `The push changes ${push.updates.length} branches and tags. Push at most ${maxUpdates} at a time.`;
  }
  if (new Set(push.updates.map((update) => update.name)).size < push.updates.length) {
    return "The push changes a branch or tag twice. Push each of them once.";
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
  if (name.includes("\u{fffd}")) {
    return `${toShownName(name)} is not UTF-8. Choose another name.`;
  }
  if (!isReferenceName(name.replace(/^refs\/(heads|tags)\//, ""))) {
    return `${toShownName(name)} can't be the name of a branch or tag. Choose another.`;
  }
  const release = releaseBranch(push.organization);
  // Ignoring case: on some file systems the names would be the same file.
  if (/^refs\/heads\/releases(\/|$)/i.test(name) && name !== `refs/heads/${release}`) {
    return `${toShownName(name.slice("refs/heads/".length))} can't be pushed: only ${release} may start with "releases". Choose another name.`;
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
    return `${release} can't be deleted: published versions refer to its commits.`;
  }
  const { code } = await runGit(
    push.git,
    [`--git-dir=${push.path}`, "merge-base", "--is-ancestor", update.before, update.after],
    { ...inQuarantine(push), codes: [1] },
  );
  if (code === 0) return undefined;
  return `${release} can't be rewound: published versions refer to its commits. Fetch it and rebase your commits onto it.`;
}

/** Lists the objects of the push and checks their sizes, then its folders. */
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
    if (Number(size) > push.maxObjectBytes) {
      listing.stop();
      sizing.stop();
      const shown = path.length > 0 ? toShownName(path.join(" ")) : `The object ${hash}`;
      return `${shown} has ${size} bytes, more than the limit of ${push.maxObjectBytes}. Keep it outside the repository.`;
    }
    if ((type === "commit" || type === "tag") && Number(size) > maxMessageBytes) {
      listing.stop();
      sizing.stop();
      return `The ${type} ${hash} has ${size} bytes. A commit or tag can have at most ${maxMessageBytes}. Shorten its message or give it fewer parents.`;
    }
    if (type === "tree") trees.push(hash);
  }
  await piped;
  const ends = await Promise.all([listing.ended, sizing.ended]);
  for (const { code, stopped, errors } of ends) {
    if (stopped === "timeout")
      return "Checking the push took too long. Push fewer commits at a time.";
    // Git itself gives up on folders nested a hundred thousand levels deep.
    if (code === null && stopped === undefined) {
      return "The push can't be read: its folders are nested too deeply. Use fewer levels of folders.";
    }
    if (/^fatal: (?:bad object|missing)/mu.test(errors)) {
      return "The push lacks objects that it refers to. Push again with git.";
    }
    if (code !== 0) throw new Error(`Checking a push failed: ${errors}`);
  }
  return await checkTrees(trees, () =>
    push.git.start([gitDirectory, "cat-file", "--buffer", "--batch"], options),
  );
}

/**
 * Makes the objects in quarantine visible to one run of git, in addition to those of the
 * repository.
 */
function inQuarantine(push: WaitingPush): GitStart {
  const objects = join(push.path, "objects");
  const maxDataBytes = maxPushDataBytes(push.maxObjectBytes);
  const common = { timeoutMs: checkMs, signal: push.signal, maxDataBytes };
  if (push.quarantine === undefined) return common;
  return {
    ...common,
    environment: {
      GIT_OBJECT_DIRECTORY: join(objects, push.quarantine),
      // Quoted, so that a colon does not separate paths.
      GIT_ALTERNATE_OBJECT_DIRECTORIES: `"${objects.replace(/["\\]/g, "\\$&")}"`,
      GIT_QUARANTINE_PATH: join(objects, push.quarantine),
    },
  };
}

function isNothing(hash: string): boolean {
  return /^0+$/.test(hash);
}
