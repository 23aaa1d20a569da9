import type { ChangeReceipt, PathChange, PathState } from "@haft/contract";
import type { FileChange } from "@haft/core";
import { changedMeanwhile } from "../paths/path-errors.ts";
import { describeMade } from "./describe-made.ts";
import { type DiskCall, explainFailure } from "./disk-call.ts";
import { versionOf } from "./file-version.ts";
import { type Inspected, inspectPlace } from "./inspect-place.ts";
import { noteLeft } from "./left-behind.ts";
import { openMissing } from "./open-missing.ts";
import { openPlace } from "./open-place.ts";
import type { Place } from "./place.ts";
import { type PreparedState, prepareState } from "./prepare-state.ts";
import { putState } from "./put-state.ts";
import { removeMade } from "./reach-path.ts";
import { requireFitting } from "./require-fitting.ts";
import { isUnchanged, lookAt } from "./snapshot.ts";
import { isSystemError } from "./system-error.ts";

/** One of several changes, on the way from the look at its place to the exchange of names. */
export class ChangeStep {
  readonly change: PathChange;
  readonly place: Place;
  readonly #call: DiskCall;
  readonly #seen: Inspected;
  readonly #prepared: PreparedState;
  #takenVersion: string | undefined;
  #isTaken = false;
  #isDropped = false;

  private constructor(
    change: PathChange,
    parts: { readonly place: Place; readonly seen: Inspected; readonly prepared: PreparedState },
    call: DiskCall,
  ) {
    this.change = change;
    this.place = parts.place;
    this.#seen = parts.seen;
    this.#prepared = parts.prepared;
    this.#call = call;
  }

  /** Judges and opens a place, holds it against what is expected, and gets all ready. */
  static async prepare(change: PathChange, call: DiskCall): Promise<ChangeStep> {
    const { path, to } = change;
    const place = openFor(change, call);
    try {
      const { found } = place;
      await requireFitting(change, place, call);
      const seen = await inspectPlace(place, { asked: path, found }, call);
      const prepared = prepareState(to, { place, found, asked: path }, call.flush);
      return new ChangeStep(change, { place, seen, prepared }, call);
    } catch (error) {
      place.directory.close();
      removeMade(place.made, call.pinning);
      throw explainFailure(error, { asked: path, access: "change" }, call);
    }
  }

  /** Whether anything will be different, or is to be noted as taken back. */
  get hasEffect(): boolean {
    const { to, undoes } = this.change;
    if (undoes !== undefined || to.kind === "file" || to.kind === "link") return true;
    return to.kind !== this.#before.kind;
  }

  /** How many bytes it keeps in memory. */
  get size(): number {
    return sizeOf(this.#before) + sizeOf(this.change.to);
  }

  get ready(): Promise<void> | undefined {
    return this.#prepared.ready;
  }

  /** What the journal is told: directories that were made on the way, then the change itself. */
  describe(): FileChange[] {
    const { callId } = this.#call.scope;
    const { to, undoes } = this.change;
    const own = { callId, path: this.place.landing, ...this.#seen.before, after: to, undoes };
    return [...describeMade(this.place, callId), own];
  }

  requireUnchanged(): void {
    const { to, path } = this.change;
    // A directory was made beforehand.
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

  /** All changes are made: tells whoever wants to know. */
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

  /** Takes the change back if it was made. `false` if that failed, or somebody changed it since. */
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
    // A directory that others have put something into by now is of use to them.
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

function openFor({ path, to, expect, parents = false, undoes }: PathChange, call: DiskCall): Place {
  if (to.kind === "absent") {
    // What is expected to be gone may be gone with its directory.
    const missing = expect === "absent" ? openMissing(path, call) : undefined;
    return missing ?? openPlace(path, {}, call);
  }
  // What is taken back was at this very name.
  const followLink = to.kind === "file" && undoes === undefined;
  return openPlace(path, { followLink, parents }, call);
}

function sizeOf(state: PathState): number {
  return state.kind === "file" ? state.content.length : 0;
}
