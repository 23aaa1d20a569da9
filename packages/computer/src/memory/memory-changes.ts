import {
  type ChangeReceipt,
  type PathChange,
  type PathState,
  ToolError,
  type WriteOptions,
  type WriteReceipt,
} from "@haft/contract";
import type { CallScope, FileChange } from "@haft/core";
import { orderChanges } from "../paths/order-changes.ts";
import {
  alreadyExists,
  changedMeanwhile,
  isDirectory,
  isRoot,
  notEmpty,
  notFound,
} from "../paths/path-errors.ts";
import type { PathPolicy } from "../paths/path-policy.ts";
import { copyState } from "../paths/path-state.ts";
import { requireVersion } from "../paths/require-version.ts";
import type { MemoryNode, MemoryTree } from "./memory-tree.ts";

/** What file operations in memory need to know about their call. */
export interface MemoryCall {
  readonly tree: MemoryTree;
  readonly scope: CallScope;
  readonly policy: PathPolicy;
  readonly roots: readonly string[];
}

/** Makes several changes together, all or none. */
export async function changePaths(
  changes: readonly PathChange[],
  call: MemoryCall,
): Promise<readonly ChangeReceipt[]> {
  const receipts = await perform(orderChanges(changes), call);
  return changes.flatMap(({ path }) => receipts.filter((receipt) => receipt.path === path));
}

/** Replaces or creates a file. */
export async function replaceFile(
  asked: string,
  { content, options }: { readonly content: Uint8Array; readonly options: WriteOptions },
  call: MemoryCall,
): Promise<WriteReceipt> {
  const [receipt] = await perform(
    [{ ...options, path: asked, to: { kind: "file", content } }],
    call,
  );
  return { created: receipt?.created ?? false, version: receipt?.version ?? "" };
}

/** Removes a file or an empty directory. */
export async function removeEntry(asked: string, call: MemoryCall): Promise<void> {
  await perform([{ path: asked, to: { kind: "absent" } }], call);
}

/** Moves a file to an unused name. */
export async function moveFile(
  { from, to }: { readonly from: string; readonly to: string },
  call: MemoryCall,
): Promise<void> {
  const { tree, policy } = call;
  // Under another name a secret could be read.
  policy.judge("read", from, from);
  policy.judge("change", from, from);
  policy.judge("change", to, to);
  tree.parent(to, () => "fail");
  const found = tree.get(from);
  if (found.kind === "directory") throw isDirectory(from);
  if (tree.find(to) !== undefined) throw alreadyExists(to);
  const removal: PathChange = { path: from, to: { kind: "absent" } };
  await perform([removal, { path: to, to: toState(found), expect: "absent" }], call);
}

interface Done {
  readonly change: PathChange;
  /** Directories that were created on the way, outermost first. */
  readonly made: readonly string[];
  readonly before: MemoryNode | undefined;
  readonly after: MemoryNode | undefined;
}

async function perform(
  given: readonly PathChange[],
  call: MemoryCall,
): Promise<readonly ChangeReceipt[]> {
  // A copy: the caller may change its bytes while the journal works.
  const changes = given.map((change) => ({ ...change, to: copyState(change.to) }));
  for (let attempt = 1; ; attempt++) {
    const done = await attemptAll(changes, call);
    if (done !== undefined) return done.map(toReceipt);
    const stale = changes.find(({ expect }) => expect !== undefined);
    if (stale !== undefined || attempt === maxAttempts) {
      throw changedMeanwhile((stale ?? changes[0])?.path ?? "");
    }
  }
}

const maxAttempts = 3;

// `undefined` if the state is not what the journal recorded.
async function attemptAll(
  changes: readonly PathChange[],
  call: MemoryCall,
): Promise<readonly Done[] | undefined> {
  const { tree, scope } = call;
  const apply = (): Done[] => changes.map((change) => applyChange(change, call));
  const rehearsed = tree.attempt(apply, "undo");
  const told = rehearsed.filter(hasEffect);
  const recorded = scope.journal.record(told.flatMap((one) => describe(one, scope)));
  const recording = recorded instanceof Promise ? await recorded : recorded;
  if (!rehearsed.every(({ change, before }) => isStill(change.path, before, tree))) {
    recording?.dropped();
    return undefined;
  }
  try {
    const done = tree.attempt(apply, "keep");
    await recording?.done();
    for (const { change } of told) scope.changed(change.path);
    return done;
  } catch (error) {
    recording?.dropped();
    throw error;
  }
}

function isStill(path: string, before: MemoryNode | undefined, tree: MemoryTree): boolean {
  try {
    return tree.find(path)?.version === before?.version;
  } catch {
    // A parent in the path is a file by now.
    return false;
  }
}

function hasEffect({ change, before, after }: Done): boolean {
  return before !== after || change.undoes !== undefined;
}

function describe({ change, made, before, after }: Done, { callId }: CallScope): FileChange[] {
  const { path, undoes } = change;
  return [
    ...made.map((directory): FileChange => {
      return { callId, path: directory, before: absent, after: { kind: "directory" } };
    }),
    { callId, path, before: toState(before), after: toState(after), undoes },
  ];
}

const absent: PathState = { kind: "absent" };

function applyChange(change: PathChange, call: MemoryCall): Done {
  const { path, to, expect, parents } = change;
  const { tree, policy } = call;
  const made: string[] = [];
  policy.judge("change", path, path);
  // A path that is expected to be absent may have lost its directory too.
  if (to.kind !== "absent") {
    tree.parent(path, (directory) => {
      if (!parents) return "fail";
      policy.judge("change", directory, path);
      made.push(directory);
      return "make";
    });
  }
  const before = tree.find(path);
  requireVersion(before?.version, expect, path);
  switch (to.kind) {
    case "file":
      if (before?.kind === "directory") throw isDirectory(path);
      tree.write(path, to.content, to.mode ?? before?.mode ?? 0o644);
      break;
    case "directory":
      if (before?.kind === "file") throw alreadyExists(path);
      if (before === undefined) tree.makeDirectory(path);
      break;
    case "absent":
      requireRemovable(change, before, call);
      tree.remove(path);
      break;
    case "link":
      throw new ToolError("failed", `A computer in memory has no links, so ${path} can't be one.`, {
        absolutePath: path,
      });
  }
  return { change, made, before, after: tree.find(path) };
}

function requireRemovable(
  { path, expect }: PathChange,
  found: MemoryNode | undefined,
  { roots }: MemoryCall,
): void {
  if (found === undefined) {
    if (expect !== "absent") throw notFound(path);
    return;
  }
  if (roots.includes(path)) throw isRoot(path);
  if (found.kind === "directory" && found.entries.size > 0) throw notEmpty(path);
}

/** The state of a node, for the journal. */
export function toState(node: MemoryNode | undefined): PathState {
  if (node === undefined) return absent;
  return node.kind === "file"
    ? { kind: "file", content: node.content, mode: node.mode }
    : { kind: "directory" };
}

function toReceipt({ change, before, after }: Done): ChangeReceipt {
  const created = before === undefined && after !== undefined;
  return after === undefined
    ? { path: change.path, created }
    : { path: change.path, created, version: after.version };
}
