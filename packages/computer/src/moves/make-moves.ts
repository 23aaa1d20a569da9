import { rmSync } from "node:fs";
import { ToolError } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import type { CallScope, FileChange, Recording } from "@haft/core";
import type { Pin, Pinning } from "../disk/pin.ts";
import { syncDirectories } from "../disk/sync-directory.ts";
import { fromSystemError, isSystemError } from "../disk/system-error.ts";
import { nameTemporary } from "../disk/temporary-file.ts";
import { whenRecorded } from "../disk/when-recorded.ts";
import { nameOf, parentOf } from "../paths/path-parts.ts";
import { describeMoves } from "./describe-moves.ts";
import { isWholeDirectory, type Move, type MoveStep } from "./move.ts";
import { copyEntry } from "./move-entry.ts";
import { findEntry, PlainEntries, printOf } from "./print-of.ts";
import { type MadeMove, takeBack, takeMove, tryLink } from "./take-move.ts";

/** What moves need to know of their call. */
export interface MoveContext {
  readonly scope: Pick<CallScope, "callId" | "journal" | "changed">;
  readonly pinning: Pinning;
  /** Whether to wait until the journal and the changed directories are flushed to disk. */
  readonly flush: boolean;
  /** Changes to journal beside the moves, which need nothing to be done. */
  readonly noted?: readonly FileChange[];
}

/**
 * Makes moves, all or none, and journals them: what they replace is moved to the journal. Steps are in
 * an order in which they can be made. `false` if the workspace changed since it was looked at: then
 * nothing is changed.
 */
export async function makeMoves(
  steps: readonly MoveStep[],
  { scope, pinning, flush, noted = [] }: MoveContext,
): Promise<boolean> {
  const directories = new Directories(pinning);
  const outer = findOuter(steps);
  const made: MadeMove[] = [];
  const staged = new Map<MoveStep, string>();
  let recording: Recording | undefined;
  try {
    for (const step of outer) stage(step, staged, directories);
    const moves = describeMoves(steps, { outer: new Set(outer), staged, callId: scope.callId });
    const told = [...moves, ...noted];
    if (told.length > 0) recording = await whenRecorded(scope.journal.record(told), []);
    const places = new Map(told.map(({ path }, index) => [path, recording?.placeOf?.(index)]));
    // No await from here until all moves are made.
    if (!steps.every(({ change }) => isAsRead(change))) {
      recording?.dropped();
      return false;
    }
    for (const step of outer) {
      const { path } = step.change;
      const target = directories.pin(parentOf(path)).at(nameOf(path));
      const move = { change: step.change, target, from: staged.get(step), kept: places.get(path) };
      made.push(move);
      takeMove(move);
    }
    if (flush) await syncDirectories(directories.all());
    await recording?.done();
    for (const { change } of outer) scope.changed(change.path);
    for (const step of outer) if (step.isFinal) dropKept(places.get(step.change.path));
    return true;
  } catch (error) {
    const left = made.toReversed().filter((move) => !takeBack(move));
    recording?.dropped();
    const path = made.at(-1)?.change.path ?? steps[0]?.change.path ?? "";
    const reason = isSystemError(error) ? fromSystemError(error, path) : error;
    throw left.length === 0 ? reason : halfDone(left, reason);
  } finally {
    for (const [step, from] of staged) if (from !== step.change.after?.source) discard(from);
    directories.close();
  }
}

/** The moves that are made by themselves; the others lie in a directory that comes or goes as a whole. */
function findOuter(steps: readonly MoveStep[]): readonly MoveStep[] {
  const whole = new Map(
    steps
      .filter(({ change }) => isWholeDirectory(change))
      .map(({ change }) => [`${change.kind} ${change.path}`, change]),
  );
  return steps.filter(({ change: { kind, path, after } }) => {
    const parent = whole.get(`${kind} ${parentOf(path)}`);
    if (parent === undefined) return true;
    // It may come from elsewhere.
    return kind === "created" && after?.source !== `${parent.after?.source}/${nameOf(path)}`;
  });
}

/** The directories of the workspace in which something is moved. */
class Directories {
  readonly #pinning: Pinning;
  readonly #pins = new Map<string, Pin>();
  readonly #entries = new PlainEntries();

  constructor(pinning: Pinning) {
    this.#pinning = pinning;
  }

  pin(path: string): Pin {
    const known = this.#pins.get(path);
    if (known !== undefined) return known;
    const pin = this.#pinning.pin(path);
    this.#pins.set(path, pin);
    if (pin.landing === path) return pin;
    throw new ToolError(
      "conflict",
      `${path} leads elsewhere by now. Nothing was changed; try again.`,
    );
  }

  /** The nearest directory above a path that exists. The others are made on the way. */
  pinAbove(path: string): Pin {
    let parent = parentOf(path);
    while (this.#entries.find(parent)?.isDirectory() !== true && parent !== "/") {
      parent = parentOf(parent);
    }
    return this.pin(parent);
  }

  all(): readonly Pin[] {
    return [...this.#pins.values()];
  }

  close(): void {
    for (const pin of this.#pins.values()) pin.close();
  }
}

/** Notes where the new state lies: in the workspace's file system. */
function stage(step: MoveStep, staged: Map<MoveStep, string>, directories: Directories): void {
  const { path, kind, after } = step.change;
  const directory = directories.pinAbove(path);
  if (after === undefined || kind === "mode") return;
  const copy = directory.at(nameTemporary());
  const isLinked = after.linkOf !== undefined && tryLink(after.linkOf, copy);
  const isHere = after.stats.dev === directory.stats.dev;
  staged.set(step, isHere && !isLinked ? after.source : copy);
  if (isLinked || isHere) return;
  copyEntry(after.source, copy);
}

function isAsRead({ path, kind, before }: Move): boolean {
  // Something else may be deleted there first.
  if (kind === "created") return true;
  const now = findEntry(path);
  if (now === undefined || before === undefined) return now === before;
  return before.isDirectory() ? now.isDirectory() : printOf(now) === printOf(before);
}

function dropKept(kept: string | undefined): void {
  if (kept !== undefined) rmSync(kept, { recursive: true, force: true });
}

function discard(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

function halfDone(left: readonly MadeMove[], cause: unknown): ToolError {
  const paths = left.map(({ change }) => change.path).join(", ");
  return new ToolError(
    "failed",
    `${toErrorMessage(cause)} Some of the changes made before it could not be undone; check ${paths}.`,
    { cause },
  );
}
