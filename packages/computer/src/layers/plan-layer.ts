import { lstatSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import type { CommandChange, DiscardedChanges } from "@haft/contract";
import { isInside, mergeLines } from "@haft/contract/internal";
import type { RunScope } from "@haft/core";
import type { Pinning } from "../disk/pin.ts";
import { readUntrustedFile } from "../disk/read-untrusted-file.ts";
import type { MoveStep } from "../moves/move.ts";
import { moveEntry } from "../moves/move-entry.ts";
import { parentOf } from "../paths/path-parts.ts";
import { isChangedSince } from "./base-keeper.ts";
import type { LayerChange } from "./read-layer.ts";

/** What is needed to apply what a command wrote. */
export interface ApplyContext {
  readonly scope: RunScope;
  /** The roots of the workspace and of the layer. No link below them is followed. */
  readonly roots: readonly string[];
  readonly pinning: Pinning;
  /** Whether to wait until the journal and the changed directories are flushed to disk. */
  readonly flush: boolean;
  /** The time at which the layer was created; see `isChangedSince`. */
  readonly startedAt: bigint;
  /** What a file of the workspace held when the command changed it, if that is known. */
  base(path: string): Uint8Array | undefined;
  /** A directory for versions of the command that conflict with the workspace's. */
  readonly kept: string;
  /** Tells whether a change is not applied because it was not approved. Default: none is. */
  isDiscarded?(change: LayerChange): boolean;
  /** How much may be journaled. The rest is applied but can't be undone. */
  readonly limits?: JournalLimits;
  /** Who wrote to the layer. Default: a command. */
  readonly author?: "command" | "subagent" | undefined;
}

/** How much the journal keeps of one command. */
export interface JournalLimits {
  readonly paths: number;
  /** Of what is replaced or deleted. What is created takes no space. */
  readonly bytes: number;
}

/** What was applied. */
export interface AppliedLayer {
  readonly changes: readonly CommandChange[];
  /** Paths that were not applied, because they were changed meanwhile. */
  readonly conflicts?: readonly string[];
  readonly notes: readonly string[];
  /** The diff of the changes, if that is short. */
  readonly diff?: string;
  readonly discarded?: DiscardedChanges;
}

const maxMergedBytes = 4 * 1024 * 1024;

/** A change that is to be made. */
export interface LayerStep extends MoveStep {
  readonly isMerged: boolean;
  /** The contents of a file before and after, if they are small. */
  readonly contents?: { readonly before: Uint8Array; readonly after: Uint8Array };
}

/** What becomes of the changes on a layer. */
export interface SortedChanges {
  readonly applied: readonly Pick<LayerStep, "change" | "isMerged">[];
  readonly conflicts: readonly { readonly change: LayerChange; readonly keptAt?: string }[];
  /** A rule denies them. */
  readonly denied: readonly LayerChange[];
}

/** Decides what is applied: neither what a rule denies, nor what was not approved, nor what conflicts. */
export function sortOut(changes: readonly LayerChange[], context: ApplyContext): SortedChanges {
  const { scope, startedAt } = context;
  const applied: Pick<LayerStep, "change" | "isMerged">[] = [];
  const conflicts: { change: LayerChange; keptAt?: string }[] = [];
  const denied: LayerChange[] = [];
  const discarded: LayerChange[] = [];
  for (const change of changes) {
    const { path, before, kind } = change;
    if (!scope.grant.mayWrite(path) || scope.isChangeDenied(path)) {
      denied.push(change);
      continue;
    }
    if (context.isDiscarded?.(change)) {
      discarded.push(change);
      continue;
    }
    const isUntouched =
      before === undefined || before.isDirectory() || !isChangedSince(before, startedAt);
    if (isUntouched || kind === "mode") applied.push({ change, isMerged: false });
    else if (merge(change, context)) applied.push({ change: lookAgain(change), isMerged: true });
    else conflicts.push({ change, ...keep(change, context) });
  }
  const left = [...denied, ...discarded, ...conflicts.map(({ change }) => change)];
  const staying = left.filter(({ kind }) => kind === "deleted").map(({ path }) => path);
  // What stays keeps its directories, and nothing takes its place.
  const isKept = ({ change: { kind, path } }: Pick<LayerStep, "change">): boolean =>
    staying.some(
      (each) =>
        (kind === "deleted" && isInside(path, each)) ||
        (kind === "created" && (isInside(path, each) || isInside(each, path))),
    );
  const blocked = applied.filter((step) => isKept(step) && step.change.kind === "created");
  denied.push(...blocked.map(({ change }) => change));
  for (const { after } of [...denied, ...discarded]) {
    if (after !== undefined) discard(after.source);
  }
  return { applied: applied.filter((step) => !isKept(step)), conflicts, denied };
}

/** Merges a file of the command with the workspace's, in the layer. */
function merge({ path, before, after }: LayerChange, context: ApplyContext): boolean {
  const known = context.base(path);
  if (known === undefined || !before?.isFile()) return false;
  const ours = readWhole(path, context, maxMergedBytes);
  // The change was made after that of others, and knows it.
  if (ours !== undefined && Buffer.compare(ours, known) === 0) return true;
  if (!after?.stats.isFile()) return false;
  const theirs = readWhole(after.source, context, maxMergedBytes);
  if (ours === undefined || theirs === undefined || [known, ours, theirs].some(isBinary))
    return false;
  const merged = mergeLines({ base: known, ours, theirs });
  if ("conflicts" in merged) return false;
  writeFileSync(after.source, merged.content);
  return true;
}

function lookAgain(change: LayerChange): LayerChange {
  const { after } = change;
  if (after === undefined) return change;
  return { ...change, after: { ...after, stats: lstatSync(after.source, { bigint: true }) } };
}

function keep({ path, after }: LayerChange, { kept }: ApplyContext): { readonly keptAt?: string } {
  if (after === undefined) return {};
  const keptAt = `${kept}${path}`;
  mkdirSync(parentOf(keptAt), { recursive: true, mode: 0o700 });
  moveEntry(after.source, keptAt);
  return { keptAt };
}

function discard(source: string): void {
  rmSync(source, { recursive: true, force: true });
}

/** Reads a file of the workspace or the layer. */
export function readWhole(
  path: string,
  { roots }: Pick<ApplyContext, "roots">,
  maxBytes: number,
): Uint8Array | undefined {
  const within = roots.find((root) => isInside(root, path));
  return within === undefined ? undefined : readUntrustedFile(path, { within, maxBytes }).bytes;
}

function isBinary(bytes: Uint8Array): boolean {
  return bytes.includes(0);
}
