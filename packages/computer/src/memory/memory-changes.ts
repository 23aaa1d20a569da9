import type { WriteOptions, WriteReceipt } from "@haft/contract";
import type { CallScope } from "@haft/core";
import { alreadyExists, isDirectory, isRoot, notEmpty } from "../paths/path-errors.ts";
import type { PathPolicy } from "../paths/path-policy.ts";
import { requireVersion } from "../paths/require-version.ts";
import type { MemoryFile, MemoryTree } from "./memory-tree.ts";

/** What the operations on files in memory need to know of the call they work for. */
export interface MemoryCall {
  readonly tree: MemoryTree;
  readonly scope: CallScope;
  readonly policy: PathPolicy;
  readonly roots: readonly string[];
}

/** Replaces a file, or makes it. */
export function replaceFile(
  asked: string,
  { content, options }: { readonly content: Uint8Array; readonly options: WriteOptions },
  call: MemoryCall,
): WriteReceipt {
  const { tree, policy, scope } = call;
  policy.judge("change", asked, asked);
  tree.parent(asked, (directory) => {
    if (!options.parents) return "fail";
    policy.judge("change", directory, asked);
    return "make";
  });
  const before = tree.find(asked);
  if (before?.kind === "directory") throw isDirectory(asked);
  requireVersion(before?.version, options.expect, asked);
  record(asked, { before, after: content }, call);
  const { version } = tree.write(asked, content, before?.mode ?? 0o644);
  scope.changed(asked);
  return { created: before === undefined, version };
}

/** Removes a file or an empty directory. */
export function removeEntry(asked: string, call: MemoryCall): void {
  const { tree, policy, scope, roots } = call;
  policy.judge("change", asked, asked);
  const found = tree.get(asked);
  if (roots.includes(asked)) throw isRoot(asked);
  if (found.kind === "directory" && found.entries.size > 0) throw notEmpty(asked);
  record(asked, { before: found.kind === "file" ? found : undefined }, call);
  tree.remove(asked);
  scope.changed(asked);
}

/** Moves a file to a name that is free. */
export function moveFile(
  { from, to }: { readonly from: string; readonly to: string },
  call: MemoryCall,
): void {
  const { tree, policy, scope } = call;
  // Under another name a secret could be read.
  policy.judge("read", from, from);
  policy.judge("change", from, from);
  policy.judge("change", to, to);
  tree.parent(to, () => "fail");
  const found = tree.get(from);
  if (found.kind === "directory") throw isDirectory(from);
  if (tree.find(to) !== undefined) throw alreadyExists(to);
  record(from, { before: found }, call);
  record(to, { after: found.content }, call);
  tree.write(to, found.content, found.mode);
  tree.remove(from);
  scope.changed(from);
  scope.changed(to);
}

function record(
  path: string,
  change: { readonly before?: MemoryFile | undefined; readonly after?: Uint8Array },
  { scope }: MemoryCall,
): void {
  scope.journal.record({
    callId: scope.callId,
    path,
    before: change.before?.content,
    after: change.after,
    modeBefore: change.before?.mode,
  });
}
