import { type ChangeReceipt, type PathChange, ToolError } from "@haft/contract";
import { enterTimeSlice, isTimeSliceSpent, toErrorMessage } from "@haft/contract/internal";
import type { FileChange, Recording } from "@haft/core";
import { changedTwice, orderChanges } from "../paths/order-changes.ts";
import { ChangeStep } from "./change-step.ts";
import { type DiskCall, explainFailure } from "./disk-call.ts";
import { sweepTemporaries } from "./sweep-temporaries.ts";
import { syncDirectories } from "./sync-directory.ts";
import { whenRecorded } from "./when-recorded.ts";

/**
 * Makes several changes together, all or none. Paths are absolute. Everything that can fail for
 * lack of space or permission is done first, so that only renames are left. If the process dies
 * during those, the journal knows what to undo.
 */
export async function changePaths(
  changes: readonly PathChange[],
  call: DiskCall,
): Promise<readonly ChangeReceipt[]> {
  const steps: ChangeStep[] = [];
  let recording: Recording | undefined;
  try {
    for (const change of orderChanges(changes)) {
      steps.push(await ChangeStep.prepare(change, call));
      requireRoom(steps);
      if (isTimeSliceSpent()) await enterTimeSlice();
    }
    requireDistinct(steps);
    const told = steps.map((step) => (step.hasEffect ? step.describe() : []));
    recording = await recordAll(told.flat(), steps, call);
    // No await from here until all changes are made.
    for (const step of steps) step.requireUnchanged();
    for (const step of steps) step.take();
    if (call.flush) await syncDirectories(steps.map(({ place }) => place.directory));
    await recording?.done();
    conclude(steps, told, recording);
    for (const { place } of steps) sweepTemporaries(place.directory);
    return changes.flatMap(({ path }) =>
      steps.filter((step) => step.change.path === path).map((step) => step.receipt),
    );
  } catch (error) {
    const left: ChangeStep[] = [];
    for (const step of steps.toReversed()) if (!(await step.revert())) left.push(step);
    recording?.dropped();
    const asked = changes[0]?.path ?? "";
    const reason = explainFailure(error, { asked, access: "change" }, call);
    throw left.length > 0 ? halfDone(left, reason) : reason;
  } finally {
    for (const step of steps) await step.close();
  }
}

async function recordAll(
  told: readonly FileChange[],
  steps: readonly ChangeStep[],
  { scope }: DiskCall,
): Promise<Recording | undefined> {
  if (told.length === 0) return undefined;
  return whenRecorded(
    scope.journal.record(told),
    steps.map((step) => step.ready),
  );
}

function conclude(
  steps: readonly ChangeStep[],
  told: readonly (readonly FileChange[])[],
  recording: Recording | undefined,
): void {
  let count = 0;
  for (const [index, step] of steps.entries()) {
    const changes = told[index] ?? [];
    count += changes.length;
    if (changes.length > 0) step.conclude(recording?.ids[count - 1]);
  }
}

// Two paths may lead to the same file.
function requireDistinct(steps: readonly ChangeStep[]): void {
  const landings = new Set<string>();
  for (const { place, change } of steps) {
    if (landings.has(place.landing)) throw changedTwice(change.path);
    landings.add(place.landing);
  }
}

// Changes are journaled at once, so they are all in memory at once.
const maxBytes = 256 * 1024 * 1024;

function requireRoom(steps: readonly ChangeStep[]): void {
  const total = steps.reduce((sum, { size }) => sum + size, 0);
  if (total <= maxBytes) return;
  throw new ToolError(
    "too-large",
    `Too large: the files to change have ${total} bytes in total, old and new; the limit for one call is ${maxBytes}. Change fewer files.`,
  );
}

function halfDone(left: readonly ChangeStep[], cause: unknown): ToolError {
  const paths = left.map(({ change }) => change.path).join(", ");
  const reason = toErrorMessage(cause);
  return new ToolError(
    "failed",
    `${reason} Some of the changes made before it could not be undone; check ${paths}.`,
    { cause },
  );
}
