import { type ChangeReceipt, type PathChange, ToolError } from "@haft/contract";
import type { FileChange, Recording } from "@haft/core";
import { changedTwice, orderChanges } from "../paths/order-changes.ts";
import { ChangeStep } from "./change-step.ts";
import { type DiskCall, explainFailure } from "./disk-call.ts";
import { sweepTemporaries } from "./sweep-temporaries.ts";
import { syncDirectories } from "./sync-directory.ts";
import { enterTurn, isTurnSpent } from "./turn-budget.ts";
import { whenRecorded } from "./when-recorded.ts";

/**
 * Makes several changes together, all or none. Paths are absolute. Everything that can fail for
 * want of room or permission is done beforehand; what is left is to exchange names. If the process
 * dies while it does that, the journal knows what to take back.
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
      if (isTurnSpent()) await enterTurn();
    }
    requireDistinct(steps);
    const told = steps.map((step) => (step.hasEffect ? step.describe() : []));
    recording = await recordAll(told.flat(), steps, call);
    // From here on nothing waits until all are made.
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

// Two paths may lead to one file.
function requireDistinct(steps: readonly ChangeStep[]): void {
  const landings = new Set<string>();
  for (const { place, change } of steps) {
    if (landings.has(place.landing)) throw changedTwice(change.path);
    landings.add(place.landing);
  }
}

// What the journal is told of at once is in memory at once.
const mostBytes = 256 * 1024 * 1024;

function requireRoom(steps: readonly ChangeStep[]): void {
  const total = steps.reduce((sum, { size }) => sum + size, 0);
  if (total <= mostBytes) return;
  throw new ToolError(
    "too-large",
    `Too large: the files to change have ${total} bytes together, old and new, and at most ${mostBytes} can be changed at once. Change fewer.`,
  );
}

function halfDone(left: readonly ChangeStep[], cause: unknown): ToolError {
  const paths = left.map(({ change }) => change.path).join(", ");
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ToolError(
    "failed",
    `${reason} Not all that was done before it could be taken back; look at ${paths}.`,
    { cause },
  );
}
