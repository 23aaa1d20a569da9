import type { ChangeReceipt, PathChange, PathState } from "@haft/contract";
import type { FileChange } from "@haft/core";
import { changedMeanwhile } from "../paths/path-errors.ts";
import { describeMade } from "./describe-made.ts";
import { type DiskCall, explainFailure } from "./disk-call.ts";
import { versionOf } from "./file-version.ts";
import { type Inspected, inspectEntry } from "./inspect-entry.ts";
import { noteLeft } from "./left-behind.ts";
import { openEntry } from "./open-entry.ts";
import { openMissing } from "./open-missing.ts";
import type { PinnedEntry } from "./pinned-entry.ts";
import { type PreparedState, prepareState } from "./prepare-state.ts";
import { putState } from "./put-state.ts";
import { removeMade } from "./reach-path.ts";
import { requireFitting } from "./require-fitting.ts";
import { isUnchanged, lookAt } from "./snapshot.ts";
import { isSystemError } from "./system-error.ts";

/** One of several changes, from the inspection of its path to the rename. */
export class ChangeStep {
  readonly change: PathChange;
  readonly place: PinnedEntry;
  readonly #call: DiskCall;
  readonly #seen: Inspected;
  readonly #prepared: PreparedState;
  #takenVersion: string | undefined;
  #isTaken = false;
  #isDropped = false;

  private constructor(
    change: PathChange,
    parts: {
      readonly place: PinnedEntry;
      readonly seen: Inspected;
      readonly prepared: PreparedState;
    },
    call: DiskCall,
  ) {
    this.change = change;
    this.place = parts.place;
    this.#seen = parts.seen;
    this.#prepared = parts.prepared;
    this.#call = call;
  }

  /** Checks and opens the path, compares it with what is expected, and prepares the change. */
  static async prepare(change: PathChange, call: DiskCall): Promise<ChangeStep> {
    const { path, to } = change;
    const place = openFor(change, call);
    try {
      const { found } = place;
      await requireFitting(change, place, call);
      const seen = await inspectEntry(place, { asked: path, found }, call);
      const prepared = prepareState(to, { place, found, asked: path }, call.flush);
      return new ChangeStep(change, { place, seen, prepared }, call);
    } catch (error) {
      place.directory.close();
      removeMade(place.made, call.pinning);
      throw explainFailure(error, { asked: path, access: "change" }, call);
    }
  }

  /** Whether anything will change, or is to be journaled as undone. */
  get hasEffect(): boolean {
    const { to, undoes } = this.change;
    if (undoes !== undefined || to.kind === "file" || to.kind === "link") return true;
    return to.kind !== this.#before.kind;
  }

  /** Number of bytes it keeps in memory. */
  get size(): number {
    return sizeOf(this.#before) + sizeOf(this.change.to);
  }

  get ready(): Promise<void> | undefined {
    return this.#prepared.ready;
  }

  /** The journal entries: directories that were made on the way, then the change itself. */
  describe(): FileChange[] {
    const { callId } = this.#call.scope;
    const { to, undoes } = this.change;
    const own = { callId, path: this.place.landing, ...this.#seen.before, after: to, undoes };
    return [...describeMade(this.place, callId), own];
  }

  requireUnchanged(): void {
    const { to, path } = this.change;
    // A directory was made in the preparation.
    if (to.kind === "directory" || isUnchanged(this.place, this.#seen.stats())) return;
    throw changedMeanwhile(path);
  }

  /** Makes the change, in one step that succeeds or does nothing. */
  take(): void {
    try {
      this.#prepared.take();
      this.#isTaken = true;
      this.#takenVersion = this.#prepared.version();
    } catch (error) {
      throw explainFailure(error, { asked: this.change.path, access: "change" }, this.#call);
    }
  }

  /** All changes are made: notifies listeners. */
  conclude(id: string | undefined): void {
    const { scope } = this.#call;
    scope.changed(this.place.landing);
    const version = this.#takenVersion;
    if (id === undefined || version === undefined || this.change.to.kind !== "file") return;
    noteLeft(scope.journal, this.place, { version, id });
  }

  get receipt(): ChangeReceipt {
    const { path, to } = this.change;
    const created = this.#before.kind === "absent" && to.kind !== "absent";
    const version = this.#prepared.version();
    return version === undefined ? { path, created } : { path, created, version };
  }

  /** Reverts the change if it was made. `false` if that failed or the path was changed since. */
  async revert(): Promise<boolean> {
    const isBack = !this.#isTaken || this.#putBack();
    await this.#drop();
    removeMade(this.place.made, this.#call.pinning);
    return isBack;
  }

  async close(): Promise<void> {
    await this.#drop();
    this.place.directory.close();
  }

  get #before(): PathState {
    return this.#seen.before.before;
  }

  async #drop(): Promise<void> {
    if (this.#isDropped) return;
    this.#isDropped = true;
    await this.#prepared.drop();
  }

  #putBack(): boolean {
    const isDirectory = this.change.to.kind === "directory";
    // Keep a directory into which others have put something by now.
    if (isDirectory && this.#before.kind === "absent")
      removeMade([this.place.landing], this.#call.pinning);
    if (isDirectory) return true;
    const now = lookAt(this.place);
    if ((now && versionOf(now)) !== this.#takenVersion) return false;
    try {
      putState(this.place, this.#before, this.#seen.stats());
      return true;
    } catch (error) {
      if (isSystemError(error)) return false;
      throw error;
    }
  }
}

function openFor(
  { path, to, expect, parents = false, undoes }: PathChange,
  call: DiskCall,
): PinnedEntry {
  if (to.kind === "absent") {
    // A path that is expected to be absent may have lost its directory too.
    const missing = expect === "absent" ? openMissing(path, call) : undefined;
    return missing ?? openEntry(path, {}, call);
  }
  // An undo concerns this very name.
  const followLink = to.kind === "file" && undoes === undefined;
  return openEntry(path, { followLink, parents }, call);
}

function sizeOf(state: PathState): number {
  return state.kind === "file" ? state.content.length : 0;
}
