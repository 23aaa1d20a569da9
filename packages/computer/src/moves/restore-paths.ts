import { type BigIntStats, chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import type { ChangeReceipt, PathChange, PathState } from "@haft/contract";
import { enterTimeSlice, isTimeSliceSpent } from "@haft/contract/internal";
import type { FileChange } from "@haft/core";
import type { DiskCall } from "../disk/disk-call.ts";
import { versionOf } from "../disk/file-version.ts";
import type { Pin } from "../disk/pin.ts";
import { nameTemporary, writeTemporaryFile } from "../disk/temporary-file.ts";
import { changedMeanwhile } from "../paths/path-errors.ts";
import { parentOf } from "../paths/path-parts.ts";
import { notKept } from "../session/blobs.ts";
import { findKept, findPrint } from "./kept-states.ts";
import { makeMoves } from "./make-moves.ts";
import { type Move, type MoveStep, orderMoves, withMode } from "./move.ts";
import { findEntry, hasPrint, PlainEntries } from "./print-of.ts";

/** Whether some of the changes put back what the journal has itself, not as a copy. */
export function isRestoration(changes: readonly PathChange[]): boolean {
  return changes.some(
    ({ path, to, undoes }) => undoes !== undefined && findKept(path, to) !== undefined,
  );
}

/**
 * Undoes changes, all or none. What the journal has itself is put back as it was, with its attributes,
 * times and links, also where tools may not change anything: it was taken from there.
 */
export async function restorePaths(
  changes: readonly PathChange[],
  call: DiskCall,
): Promise<readonly ChangeReceipt[]> {
  const staging = new Staging(call);
  const steps: MoveStep[] = [];
  const noted: FileChange[] = [];
  const entries = new PlainEntries();
  try {
    for (const change of changes) {
      if (isTimeSliceSpent()) await enterTimeSlice();
      const { path, to, undoes } = change;
      call.policy.judge(findKept(path, to) === undefined ? "change" : "restore", path, path);
      const now = entries.find(path);
      requireExpected(change, now);
      const moves = planMoves(change, now, staging);
      const { callId } = call.scope;
      if (moves.length === 0) noted.push({ callId, path, before: to, after: to, undoes });
      const keptAt = findKept(path, to)?.keptAt;
      steps.push(...moves.map((move): MoveStep => ({ change: move, undoes, keptAt })));
    }
    const made = new Set(steps.map(({ change }) => change.path));
    for (const { change } of [...steps]) {
      if (change.kind === "created") steps.push(...staging.makeParents(change.path, made));
    }
    requireListed(steps);
    const outerFirst = steps.toSorted((a, b) => a.change.path.length - b.change.path.length);
    const isMade = await makeMoves(orderMoves(outerFirst), { ...call, noted });
    if (!isMade) throw changedMeanwhile(changes[0]?.path ?? "");
  } finally {
    staging.clear();
  }
  return changes.map(({ path }): ChangeReceipt => {
    const now = findEntry(path);
    const created = steps.some(({ change }) => change.path === path && change.kind === "created");
    return { path, created, ...(now !== undefined && { version: versionOf(now) }) };
  });
}

function requireExpected({ path, expect }: PathChange, now: BigIntStats | undefined): void {
  if (expect === undefined || now?.isDirectory()) return;
  if ((now === undefined ? "absent" : versionOf(now)) !== expect) throw changedMeanwhile(path);
}

function planMoves(
  { path, to }: PathChange,
  now: BigIntStats | undefined,
  staging: Staging,
): readonly Move[] {
  const removal: Move[] = now === undefined ? [] : [{ path, kind: "deleted", before: now }];
  if (to.kind === "absent") return removal;
  const kept = findKept(path, to);
  const isSameKind = now !== undefined && kindOf(now) === to.kind;
  // What only changed its permissions is still there.
  if (
    isSameKind &&
    (to.kind === "directory" || (kept !== undefined && kept.source === undefined))
  ) {
    const mode = to.kind === "link" ? undefined : to.mode;
    if (mode === undefined || Number(now.mode & 0o7777n) === mode) return [];
    const after = { stats: withMode(now, mode), source: path };
    return [{ path, kind: "mode", before: now, after }];
  }
  const source = kept?.source ?? staging.make(path, to, now);
  const stats = findEntry(source);
  const print = kept?.source === undefined ? undefined : findPrint(to);
  if (stats === undefined || (stats.isFile() && print !== undefined && !hasPrint(stats, print))) {
    throw notKept(`what ${path} held is no longer kept, or was changed`);
  }
  const after = { stats, source };
  if (isSameKind) return [{ path, kind: "modified", before: now, after }];
  return [...removal, { path, kind: "created", before: undefined, after }];
}

function kindOf(stats: BigIntStats): PathState["kind"] | undefined {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "link" : undefined;
}

// A directory goes with everything in it.
function requireListed(steps: readonly MoveStep[]): void {
  const gone = new Set(
    steps.flatMap(({ change }) => (change.kind === "deleted" ? [change.path] : [])),
  );
  for (const { change } of steps) {
    if (change.kind !== "deleted" || !change.before?.isDirectory()) continue;
    if (!readdirSync(change.path).every((name) => gone.has(`${change.path}/${name}`))) {
      throw changedMeanwhile(change.path);
    }
  }
}

/** Makes what the journal does not have itself, near the place where it goes. */
class Staging {
  readonly #call: DiskCall;
  readonly #made: string[] = [];
  readonly #pins = new Map<string, Pin>();

  constructor(call: DiskCall) {
    this.#call = call;
  }

  make(path: string, to: PathState, like: BigIntStats | undefined): string {
    const directory = this.#pinNearest(path);
    if (to.kind === "file") {
      const { content, mode } = to;
      const file = writeTemporaryFile(directory, [content], { like, mode });
      file.moved();
      void file.drop();
      return this.#note(directory.at(file.name));
    }
    const made = this.#note(directory.at(nameTemporary()));
    if (to.kind === "link") symlinkSync(to.target, made);
    else mkdirSync(made);
    if (to.kind === "directory" && to.mode !== undefined) chmodSync(made, to.mode);
    return made;
  }

  /** The directories above a path that are neither there nor among `made`. */
  makeParents(path: string, made: Set<string>): readonly MoveStep[] {
    const parent = parentOf(path);
    if (made.has(parent) || new PlainEntries().find(parent) !== undefined) return [];
    made.add(parent);
    this.#call.policy.judge("change", parent, path);
    const source = this.make(parent, { kind: "directory" }, undefined);
    const after = { stats: findEntry(source) as BigIntStats, source };
    const own: MoveStep = { change: { path: parent, kind: "created", before: undefined, after } };
    return [...this.makeParents(parent, made), own];
  }

  /** Removes what was not moved. */
  clear(): void {
    for (const path of this.#made) rmSync(path, { recursive: true, force: true });
    for (const pin of this.#pins.values()) pin.close();
  }

  #note(path: string): string {
    this.#made.push(path);
    return path;
  }

  #pinNearest(path: string): Pin {
    let parent = parentOf(path);
    const entries = new PlainEntries();
    while (entries.find(parent)?.isDirectory() !== true && parent !== "/")
      parent = parentOf(parent);
    const known = this.#pins.get(parent);
    if (known !== undefined) return known;
    const pin = this.#call.pinning.pin(parent);
    this.#pins.set(parent, pin);
    if (pin.landing !== parent) throw changedMeanwhile(path);
    return pin;
  }
}
