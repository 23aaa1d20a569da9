import type { BigIntStats } from "node:fs";
import type { Splice } from "../session/splice.ts";

/** Something that takes the place of what is at a path. */
export interface Move {
  /** In the workspace, links resolved. */
  readonly path: string;
  readonly kind: "created" | "modified" | "deleted" | "mode";
  /** What is in the workspace now. */
  readonly before: BigIntStats | undefined;
  /** What replaces it, and where that lies. Absent for a deletion. */
  readonly after?: {
    readonly stats: BigIntStats;
    readonly source: string;
    /** A file of the workspace that it is a second name of. */
    readonly linkOf?: string;
  };
}

/** A move, and what the journal is told about it. */
export interface MoveStep {
  readonly change: Move;
  /** How the old content became the new one, if that is known. */
  readonly splice?: Splice | undefined;
  readonly undoes?: string | undefined;
  readonly keptAt?: string | undefined;
  /** Whether it can't be undone: too much would have to be kept. */
  readonly isFinal?: boolean;
}

/** Whether a directory comes or goes with everything in it. */
export function isWholeDirectory({ kind, before, after }: Move): boolean {
  const stats = after?.stats ?? before;
  return kind !== "modified" && kind !== "mode" && stats?.isDirectory() === true;
}

/**
 * Puts moves into an order in which they can be made, given in an order in which directories come before
 * what is in them. Directories are opened first and closed last; deletions come before what takes their
 * place, inner ones before outer ones.
 */
export function orderMoves<Step extends MoveStep>(outerFirst: readonly Step[]): readonly Step[] {
  const of = (...kinds: readonly Move["kind"][]): Step[] =>
    outerFirst.filter(({ change }) => kinds.includes(change.kind));
  const modes = of("mode");
  return [
    ...modes.filter(opens),
    ...of("deleted").reverse(),
    ...of("created", "modified"),
    ...modes.filter((step) => !opens(step)).reverse(),
  ];
}

function opens({ change: { before, after } }: MoveStep): boolean {
  return (
    before?.isDirectory() === true &&
    (before.mode & 0o200n) === 0n &&
    ((after?.stats.mode ?? 0n) & 0o200n) !== 0n
  );
}

/** The same with other permissions, if they are given. */
export function withMode<Stats extends BigIntStats | undefined>(
  stats: Stats,
  mode: number | undefined,
): Stats {
  if (stats === undefined || mode === undefined) return stats;
  return Object.create(stats, { mode: { value: (stats.mode & ~0o7777n) | BigInt(mode) } }) as Stats;
}
