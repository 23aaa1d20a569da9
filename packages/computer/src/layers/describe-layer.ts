import { hash } from "node:crypto";
import type { CommandChange } from "@haft/contract";
import { findHunks, splitBytes } from "@haft/contract/internal";
import { parentOf } from "../paths/path-parts.ts";
import type { AppliedLayer, ApplyContext, LayerStep, SortedChanges } from "./plan-layer.ts";

/** Tells what was applied and what was not, in the order of paths. */
export function describeLayer(
  steps: readonly LayerStep[],
  { conflicts, denied }: Pick<SortedChanges, "conflicts" | "denied">,
  author: ApplyContext["author"] = "command",
): AppliedLayer {
  const changes = joinMoves(findShown(steps).map(describeStep));
  const kept = conflicts.map(
    ({ change, keptAt }): CommandChange => ({
      path: change.path,
      kind: change.kind,
      undoable: false,
      ...(keptAt !== undefined && { keptAt }),
    }),
  );
  const names = changes.filter(({ change }) => !change.undoable).map(({ change }) => change.path);
  return {
    changes: [...changes.map(({ change }) => change), ...kept].sort((a, b) =>
      a.path < b.path ? -1 : 1,
    ),
    conflicts: conflicts.map(({ change }) => change.path),
    notes: [
      ...denied
        .slice(0, maxNotes)
        .map(({ path }) => `Not applied, because a rule denies it: ${path}`),
      ...conflicts.slice(0, maxNotes).map((conflict) => describeConflict(conflict, author)),
      ...(names.length === 0
        ? []
        : [`Applied, but can't be undone: ${names.slice(0, maxNotes).join(", ")}`]),
    ],
  };
}

const maxNotes = 20;

function describeConflict(
  { change: { path, kind }, keptAt }: SortedChanges["conflicts"][number],
  author: string,
): string {
  const what = kind === "deleted" ? "deletes" : "changes";
  const where = keptAt === undefined ? "" : ` The ${author}'s version is at ${keptAt}.`;
  return `Not applied: the ${author} ${what} ${path}, which was changed meanwhile.${where}`;
}

// A directory goes without saying where something in it is named.
function findShown(steps: readonly LayerStep[]): readonly LayerStep[] {
  const parents = new Set(steps.map(({ change }) => parentOf(change.path)));
  return steps.filter(({ change, isFinal }) => {
    const { kind, before, after, path } = change;
    const isDirectory = (after?.stats ?? before)?.isDirectory() === true;
    return !isDirectory || isFinal || kind === "mode" || !parents.has(path);
  });
}

interface Described {
  readonly change: CommandChange;
  /** The content of a file that came or went. */
  readonly content: Uint8Array | undefined;
}

function describeStep({ change: { path, kind }, contents, isFinal = false }: LayerStep): Described {
  const change = { path, kind, undoable: !isFinal, ...(contents && countLines(contents)) };
  return { change, content: kind === "created" ? contents?.after : contents?.before };
}

function countLines({
  before,
  after,
}: NonNullable<LayerStep["contents"]>): Pick<CommandChange, "added" | "removed"> {
  if ([before, after].some((bytes) => bytes.includes(0))) return {};
  let [added, removed] = [0, 0];
  for (const hunk of findHunks(splitBytes(before).keys, splitBytes(after).keys)) {
    added += hunk.newEnd - hunk.newStart;
    removed += hunk.end - hunk.start;
  }
  return { added, removed };
}

/** Joins a deleted file with a created one of the same content: it was moved. */
function joinMoves(all: readonly Described[]): readonly Described[] {
  const gone = new Map<string, Described>();
  for (const one of all) {
    if (one.change.kind === "deleted" && one.content !== undefined && one.content.length > 0) {
      gone.set(hash("sha256", one.content), one);
    }
  }
  const moved = new Set<Described>();
  const joined = all.map((one): Described => {
    if (one.change.kind !== "created" || one.content === undefined || gone.size === 0) return one;
    const from = gone.get(hash("sha256", one.content));
    if (from === undefined || moved.has(from)) return one;
    moved.add(from);
    const { path, undoable } = one.change;
    return { ...one, change: { path, kind: "renamed", from: from.change.path, undoable } };
  });
  return joined.filter((_, index) => !moved.has(all[index] as Described));
}
