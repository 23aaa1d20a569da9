import { type BigIntStats, lstatSync, readlinkSync } from "node:fs";
import type { PathState } from "@haft/contract";
import type { FileChange } from "@haft/core";
import { nameOf, parentOf } from "../paths/path-parts.ts";
import type { MoveStep } from "./move.ts";
import { printOf } from "./print-of.ts";

/** What is known about moves that are to be made. */
export interface DescribeContext {
  readonly outer: ReadonlySet<MoveStep>;
  readonly staged: ReadonlyMap<MoveStep, string>;
  readonly callId: string;
}

/** Describes moves for the journal: one change per path. */
export function describeMoves(
  steps: readonly MoveStep[],
  { outer, staged, callId }: DescribeContext,
): readonly FileChange[] {
  const told = new Map<string, FileChange>();
  // The nearest directory above that is moved as a whole, by kind and path.
  const kept = new Map<string, string>();
  const moved = new Map<string, string>();
  let count = 0;
  for (const step of steps.toSorted((a, b) => a.change.path.length - b.change.path.length)) {
    const { path, kind, before, after } = step.change;
    const isOuter = outer.has(step);
    const parent = `${kind} ${parentOf(path)}`;
    let keptAs: string | undefined;
    if (kind === "deleted" || kind === "modified") {
      keptAs = isOuter ? `${count++}` : `${kept.get(parent)}/${nameOf(path)}`;
      kept.set(`${kind} ${path}`, keptAs);
    }
    let now = after?.stats;
    if (after !== undefined && kind !== "mode") {
      const at = isOuter ? staged.get(step) : `${moved.get(parent)}/${nameOf(path)}`;
      moved.set(`${kind} ${path}`, at as string);
      // A copy on another file system, or a second name, is another entry.
      if (at !== after.source) now = lstatSync(at as string, { bigint: true });
    }
    const other = told.get(path);
    const isFile = before?.isFile() === true && keptAs !== undefined && !step.isFinal;
    told.set(path, {
      ...{ callId, path, splice: step.splice, undoes: step.undoes },
      before: before === undefined ? (other?.before ?? absent) : toState(path, before),
      after: now === undefined ? (other?.after ?? absent) : toState(after?.source ?? path, now),
      moved: {
        ...other?.moved,
        ...(before !== undefined && { before: printOf(before), keptAs, isInner: !isOuter }),
        ...(before !== undefined && step.keptAt !== undefined && { keptAt: step.keptAt }),
        ...(now !== undefined && {
          after: kind === "mode" && before ? printOf(before) : printOf(now),
        }),
        ...(isFile && { bytes: Number(before.size) }),
        ...(step.isFinal && { isFinal: true }),
      },
    });
  }
  // What a crash leaves is taken back from the last to the first.
  return [...told.values()];
}

const absent: PathState = { kind: "absent" };

function toState(path: string, stats: BigIntStats): PathState {
  const mode = Number(stats.mode & 0o7777n);
  if (stats.isDirectory()) return { kind: "directory", mode };
  if (stats.isSymbolicLink()) return { kind: "link", target: readlinkSync(path) };
  return {
    kind: "file",
    mode,
    get content(): Uint8Array {
      throw new Error("unreachable: the journal keeps the file itself");
    },
  };
}
