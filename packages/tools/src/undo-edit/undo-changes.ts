import type { FileSystem, PastChange, PathChange } from "@haft/contract";
import { lookAt, type Present } from "./look-at.ts";
import { planUndo, planUntouched, type UndoStep } from "./plan-undo.ts";

/**
 * Undoes changes, newest first: all of them or none. A path that was changed more than once goes back
 * to its oldest state in one step.
 */
export async function undoChanges<Told>(
  changes: readonly PastChange[],
  fs: FileSystem,
  describe: (steps: readonly UndoStep[]) => Told,
): Promise<Told> {
  const { steps, expected } = await planSteps(changes, fs);
  // Contents are read while they are where the journal knows them.
  const told = describe(steps);
  await fs.change(steps.map((step) => toChange(step, expected)));
  return told;
}

/** What to do for an undo, and the versions that paths must have for it. */
interface UndoPlan {
  readonly steps: readonly UndoStep[];
  readonly expected: ReadonlyMap<string, string | undefined>;
}

/** Plans an undo without changing anything. */
export async function planSteps(changes: readonly PastChange[], fs: FileSystem): Promise<UndoPlan> {
  const expected = new Map<string, string | undefined>();
  const places = new Map<string, Present>();
  const steps = new Map<string, UndoStep>();
  for (const change of changes) {
    const { path, version } = change;
    const later = steps.get(path);
    if (later === undefined && version !== undefined) {
      expected.set(path, version);
      const step = planUntouched(change, version);
      steps.set(path, step);
      places.set(path, toPresent(step, step.from));
      continue;
    }
    const present = places.get(path) ?? (await lookAt(path, change.after, fs));
    if (!places.has(path)) expected.set(path, toExpectation(present));
    const step = planUndo(change, present);
    places.set(path, toPresent(step, present));
    steps.set(path, later === undefined ? step : joinSteps(later, step));
  }
  return { steps: await keepFullDirectories([...steps.values()], fs), expected };
}

function joinSteps(later: UndoStep, step: UndoStep): UndoStep {
  const { change, to } = step;
  const id = `${later.change.id}+${change.id}`;
  const all = { ...change, id, after: later.change.after };
  const action = later.action === "merged" ? later.action : step.action;
  return { change: all, action: to.kind === "absent" ? "removed" : action, from: later.from, to };
}

function toExpectation(present: Present): string | undefined {
  if (present.kind === "absent") return "absent";
  return present.kind === "link" || present.kind === "directory" ? undefined : present.version;
}

function toPresent({ to }: UndoStep, present: Present): Present {
  switch (to.kind) {
    case "file":
      return { kind: "file", content: to.content, version: "" };
    case "directory":
      return present.kind === "directory" ? present : { kind: "directory", version: "" };
    default:
      return to;
  }
}

function toChange(
  { change, to }: UndoStep,
  expected: ReadonlyMap<string, string | undefined>,
): PathChange {
  const expect = expected.get(change.path);
  return {
    path: change.path,
    to,
    parents: true,
    undoes: change.id,
    ...(expect === undefined ? {} : { expect }),
  };
}

// A directory that a call created stays if it has other entries now, and so do those above it.
async function keepFullDirectories(
  steps: readonly UndoStep[],
  fs: FileSystem,
): Promise<readonly UndoStep[]> {
  const removed = new Set(
    steps.filter(({ to }) => to.kind === "absent").map(({ change }) => change.path),
  );
  const innerFirst = steps
    .filter(({ action, change }) => action === "removed" && change.after.kind === "directory")
    .sort((a, b) => b.change.path.length - a.change.path.length);
  for (const { change } of innerFirst) {
    const entries = await fs.list(change.path);
    if (entries.some(({ name }) => !removed.has(`${change.path}/${name}`))) {
      removed.delete(change.path);
    }
  }
  return steps.map((step): UndoStep => {
    const isKept = innerFirst.includes(step) && !removed.has(step.change.path);
    return isKept ? { ...step, action: "unchanged", to: { kind: "directory" } } : step;
  });
}
