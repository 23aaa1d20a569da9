import type { FileSystem, PastChange, PathChange } from "@haft/contract";
import { lookAt, type Present } from "./look-at.ts";
import { planUndo, type UndoStep } from "./plan-undo.ts";

/**
 * Takes changes back, which come newest first: all of them or none. Where a call changed a path
 * more than once, every round takes back one change of it; a refusal comes before the first.
 */
export async function undoChanges(
  changes: readonly PastChange[],
  fs: FileSystem,
): Promise<readonly UndoStep[]> {
  const expected = new Map<string, string | undefined>();
  const places = new Map<string, Present>();
  const rounds: UndoStep[][] = [];
  for (const change of changes) {
    const { path } = change;
    const present = places.get(path) ?? (await lookAt(path, change.after, fs));
    if (!places.has(path)) expected.set(path, toExpectation(present));
    const step = planUndo(change, present);
    places.set(path, toPresent(step, present));
    const round = rounds.find((steps) => !steps.some((one) => one.change.path === path));
    if (round === undefined) rounds.push([step]);
    else round.push(step);
  }
  const done: UndoStep[] = [];
  for (const round of rounds) {
    const steps = await keepFullDirectories(round, fs);
    const receipts = await fs.change(steps.map((step) => toChange(step, expected)));
    for (const [index, { version }] of receipts.entries()) {
      expected.set(steps[index]?.change.path ?? "", version ?? "absent");
    }
    done.push(...steps);
  }
  return done;
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

// A directory that the call made stays where something else has come into it.
async function keepFullDirectories(
  steps: readonly UndoStep[],
  fs: FileSystem,
): Promise<readonly UndoStep[]> {
  const removed = new Set(
    steps.filter(({ to }) => to.kind === "absent").map(({ change }) => change.path),
  );
  return Promise.all(
    steps.map(async (step): Promise<UndoStep> => {
      const { path, after } = step.change;
      if (step.action !== "removed" || after.kind !== "directory") return step;
      const entries = await fs.list(path);
      if (entries.every(({ name }) => removed.has(`${path}/${name}`))) return step;
      return { ...step, action: "unchanged", to: after };
    }),
  );
}
