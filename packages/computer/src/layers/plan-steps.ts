import { isWholeDirectory, orderMoves } from "../moves/move.ts";
import { findSplice } from "../session/splice.ts";
import {
  type ApplyContext,
  type JournalLimits,
  type LayerStep,
  readWhole,
  type SortedChanges,
} from "./plan-layer.ts";
import type { LayerChange } from "./read-layer.ts";

const defaultLimits: JournalLimits = { paths: 100_000, bytes: 1024 * 1024 * 1024 };

/** Decides how changes are made, in which order, and which of them can be undone. */
export function planSteps(
  applied: SortedChanges["applied"],
  context: ApplyContext,
): readonly LayerStep[] {
  const final = findFinal(
    applied.map(({ change }) => change),
    context.limits ?? defaultLimits,
  );
  const budget = { files: maxComparedFiles, bytes: maxComparedTotal };
  const steps = applied
    // A directory that can't be undone stands for everything in it.
    .filter(({ change }) => final.get(change) !== "inner")
    .map((step): LayerStep => {
      if (final.has(step.change)) return { ...step, isFinal: true };
      const contents = readContents(step.change, budget, context);
      if (contents === undefined) return step;
      const isModified = step.change.kind === "modified";
      const splice = isModified ? findSplice(contents.before, contents.after) : undefined;
      return { ...step, contents, splice };
    });
  return orderMoves(steps);
}

/** The changes that exceed the limits: whole directories first, the largest of them before others. */
function findFinal(
  changes: readonly LayerChange[],
  limits: JournalLimits,
): ReadonlyMap<LayerChange, "outer" | "inner"> {
  let paths = changes.length;
  let bytes = changes.reduce((sum, change) => sum + sizeOf(change), 0);
  const final = new Map<LayerChange, "outer" | "inner">();
  if (paths <= limits.paths && bytes <= limits.bytes) return final;
  const groups = new Map<string, LayerChange[]>();
  let top = "";
  for (const change of changes) {
    const isInner = top !== "" && change.path.startsWith(`${top}/`);
    if (!isInner) top = isWholeDirectory(change) ? change.path : "";
    const key = `${change.kind} ${isInner || top !== "" ? top : change.path}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [change]);
    else group.push(change);
  }
  const weigh = (group: readonly LayerChange[]): number =>
    Math.max(
      group.length / limits.paths,
      group.reduce((sum, change) => sum + sizeOf(change), 0) / limits.bytes,
    );
  const sorted = [...groups.values()].sort((a, b) => weigh(b) - weigh(a));
  for (const group of sorted) {
    if (paths <= limits.paths && bytes <= limits.bytes) break;
    for (const [index, change] of group.entries()) {
      final.set(change, index === 0 ? "outer" : "inner");
      paths--;
      bytes -= sizeOf(change);
    }
  }
  return final;
}

function sizeOf({ before, kind }: LayerChange): number {
  return kind !== "mode" && before?.isFile() ? Number(before.size) : 0;
}

const maxComparedBytes = 1024 * 1024;
const maxComparedFiles = 2_000;
const maxComparedTotal = 64 * 1024 * 1024;
const nothing = new Uint8Array();

function readContents(
  { path, kind, before, after }: LayerChange,
  budget: { files: number; bytes: number },
  context: ApplyContext,
): LayerStep["contents"] {
  const entries = [before, after?.stats].filter((stats) => stats !== undefined);
  if (kind === "mode" || !entries.every((stats) => stats.isFile())) return undefined;
  const sizes = entries.map(({ size }) => Number(size));
  budget.files--;
  budget.bytes -= sizes.reduce((sum, size) => sum + size, 0);
  if (budget.files < 0 || budget.bytes < 0 || sizes.some((size) => size > maxComparedBytes)) {
    return undefined;
  }
  const [old, now] = [before && path, after?.source].map((file) =>
    file === undefined ? nothing : readWhole(file, context, maxComparedBytes),
  );
  return old && now && { before: old, after: now };
}
