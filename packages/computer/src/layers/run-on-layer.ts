import { chmodSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { AppliedChanges } from "@haft/contract";
import type { EffectReview, RunScope } from "@haft/core";
import type { Pinning } from "../disk/pin.ts";
import { procPinning } from "../disk/proc-pinning.ts";
import { isSystemError } from "../disk/system-error.ts";
import { identifyProcess, isRunning, type ProcessIdentity } from "../locks/process-identity.ts";
import { readSmallFile } from "../session/small-file.ts";
import { applyLayer } from "./apply-layer.ts";
import { BaseKeeper, isChangedSince } from "./base-keeper.ts";
import { chooseUntracked } from "./choose-untracked.ts";
import { createLayer, type Layer, prepareLayers, removeLayer } from "./layer.ts";
import { compareFew, toEffects } from "./layer-effects.ts";
import { takeOverlayAttributes, unmarked } from "./overlay-attributes.ts";
import type { AppliedLayer, ApplyContext } from "./plan-layer.ts";
import { type LayerChange, lookAt, readLayer, type WrittenRoot } from "./read-layer.ts";

/** What layers need to know of their computer. */
export interface LayerContext {
  readonly stateDirectory: string;
  readonly pinning: Pinning;
  /** Whether a change waits until it is flushed to disk. */
  readonly flush: boolean;
}

/** How a layer is made and applied. */
export interface LayerOptions extends LayerContext {
  readonly perl: string;
  /** Which changes are applied; see `CommandRun`. */
  readonly applies: AppliedChanges;
  /** Default: a command. */
  readonly author?: ApplyContext["author"];
}

/** The layer of a command that is about to run. */
export interface LayeredRun {
  readonly layer: Layer;
  /** Tells what a file of the workspace held when it was first changed on the layer. */
  addBase(path: string, content: Uint8Array): void;
  /** Applies what the command wrote. Nothing of it may run any more. */
  apply(): Promise<AppliedLayer>;
  /** Call at the end in any case. */
  close(): Promise<void>;
}

/** Creates a layer of directories of the workspace for one command. */
export function openLayeredRun(
  roots: readonly string[],
  scope: RunScope,
  { stateDirectory, pinning, flush, perl, applies, author }: LayerOptions,
): LayeredRun {
  sweepLayers(stateDirectory);
  const layer = createLayer(stateDirectory, roots);
  writeFileSync(join(layer.directory, ownerFile), JSON.stringify(identifyProcess()));
  const startedAt = lookAt(layer.roots[0]?.upper ?? "")?.ctimeNs ?? 0n;
  const bases = new BaseKeeper(layer.roots, startedAt);
  // What a subagent changes is told by `addBase`.
  if (author !== "subagent") bases.start();
  return {
    layer,
    addBase: (path, content) => bases.add(path, content),
    apply: async () => {
      bases.stop();
      if (applies === "none") return { changes: [], notes: [] };
      const written = await Promise.all(
        layer.roots.map(async ({ path, upper }) => {
          const isUsed = readdirSync(upper).length > 0;
          const marks = isUsed ? await takeOverlayAttributes({ path, upper }, perl) : unmarked;
          return { path, upper, ...marks };
        }),
      );
      const omitted: string[] = [];
      const discarded = new Set<string>();
      const workspace = layer.roots.map(({ path }) => path);
      const read = async () => {
        const contents = await Promise.all(written.map(readLayer));
        for (const { path, source } of contents.flatMap((content) => content.omitted)) {
          // Otherwise it would come with its directory.
          rmSync(source, { force: true });
          omitted.push(path);
        }
        const changes = contents.flatMap((content) => content.changes);
        if (applies === "all") return changes;
        const chosen = chooseUntracked(changes, workspace);
        for (const { path } of chosen.tracked) discarded.add(path);
        return chosen.untracked;
      };
      const kept = join(stateDirectory, "kept", basename(layer.directory));
      const base = (path: string) => bases.find(path);
      const context = {
        scope,
        // Otherwise an undo would take back caches before the last edit.
        ...(applies === "untracked" && { limits: { paths: 0, bytes: 0 } }),
        roots: layer.roots.flatMap(({ path, upper }) => [path, upper]),
        pinning,
        flush,
        startedAt,
        base,
        kept,
        author,
      };
      const changes = await read();
      const effects = toEffects(changes, context);
      const review = applies === "all" ? await scope.reviewEffects(effects) : undefined;
      // A person takes time, in which the workspace may have changed.
      const known = review === undefined ? [changes] : [];
      const isUnchanged = ({ before }: LayerChange): boolean =>
        before === undefined || !isChangedSince(before, startedAt);
      const findDiff = compareFew(changes.every(isUnchanged) ? effects : [], layer.roots[0]?.path);
      const applied = await applyLayer(async () => known.pop() ?? read(), {
        ...context,
        isDiscarded: (change) => review?.mayApply(change) === false,
      });
      closeAgain(changes, written);
      if (applies !== "all") return { ...applied, notes: describeDiscarded([...discarded]) };
      const diff = findDiff(applied);
      return {
        ...applied,
        notes: [...applied.notes, ...describeOmitted(omitted), ...describeChoice(review)],
        ...(diff !== undefined && { diff }),
        ...(review !== undefined && { discarded: review.discarded }),
      };
    },
    close: async () => {
      bases.stop();
      await removeLayer(layer);
    },
  };
}

/** Gives new directories the permissions that the command gave them: they were opened to be read. */
function closeAgain(
  changes: readonly LayerChange[],
  written: readonly Pick<WrittenRoot, "closed">[],
): void {
  const closed = new Map(written.flatMap((root) => [...root.closed]));
  if (closed.size === 0) return;
  // Inner ones first: what is closed can't be entered.
  for (const { path, kind, after } of changes.toReversed()) {
    const mode = closed.get(after?.source ?? "");
    if (kind !== "created" || mode === undefined) continue;
    try {
      const pin = procPinning.pin(path, { noFollow: true });
      if (pin.landing === path && pin.stats.isDirectory()) chmodSync(pin.reach, mode);
      pin.close();
    } catch (error) {
      // It was not applied.
      if (!isSystemError(error)) throw error;
    }
  }
}

const maxNamed = 20;

function describeOmitted(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  return [`Not applied: sockets, pipes, devices and names that are not UTF-8: ${listNames(paths)}`];
}

/** Names what a person left out when they chose what to apply. */
function describeChoice(review: EffectReview | undefined): readonly string[] {
  const { changes = [], error } = review?.discarded ?? {};
  if (error !== undefined || changes.length === 0) return [];
  const names = listNames(changes.map(({ path }) => path));
  return [`Not applied, because the user left them out: ${names}`];
}

function describeDiscarded(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  return [
    `Discarded, because only caches and build output are kept: changes to ${listNames(paths)}`,
  ];
}

function listNames(paths: readonly string[]): string {
  const more = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : "";
  return `${paths.slice(0, maxNamed).join(", ")}${more}`;
}

const ownerFile = "owner";
const swept = new Set<string>();
// Where the owner can't be told to have ended, in another container for example.
const forgottenAfterMs = 24 * 60 * 60 * 1000;

/** Removes the layers of processes that were killed, once in a process. */
function sweepLayers(stateDirectory: string): void {
  if (swept.has(stateDirectory)) return;
  swept.add(stateDirectory);
  const layers = prepareLayers(stateDirectory);
  for (const name of readdirSync(layers)) {
    const directory = join(layers, name);
    // What can't be removed takes space and does no other harm.
    if (isAbandoned(directory)) removeLayer({ directory }).catch(() => {});
  }
}

function isAbandoned(directory: string): boolean {
  try {
    const owner = JSON.parse(readSmallFile(join(directory, ownerFile)) ?? "") as ProcessIdentity;
    const runs = isRunning(owner);
    if (runs !== undefined) return !runs;
  } catch {
    // It is being made, or its process died while it was.
  }
  const found = statSync(directory, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > forgottenAfterMs;
}
