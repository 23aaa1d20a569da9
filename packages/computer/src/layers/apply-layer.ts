import { ToolError } from "@haft/contract";
import { makeMoves } from "../moves/make-moves.ts";
import { describeLayer } from "./describe-layer.ts";
import { type AppliedLayer, type ApplyContext, type SortedChanges, sortOut } from "./plan-layer.ts";
import { planSteps } from "./plan-steps.ts";
import type { LayerChange } from "./read-layer.ts";

const maxAttempts = 3;
const maxHeld = 500;

/**
 * Makes the changes of a command in the workspace, all or none, as changes of its call. What somebody
 * else changed meanwhile is merged, or else stays as it is, and the command's version is kept.
 */
export async function applyLayer(
  read: () => Promise<readonly LayerChange[]>,
  context: ApplyContext,
): Promise<AppliedLayer> {
  const conflicts: SortedChanges["conflicts"][number][] = [];
  const denied: LayerChange[] = [];
  for (let attempt = 1; ; attempt++) {
    const sorted = sortOut(await read(), context);
    // They are no longer in the layer, so another attempt does not find them again.
    conflicts.push(...sorted.conflicts);
    denied.push(...sorted.denied);
    const steps = planSteps(sorted.applied, context);
    // New files need no hold: nothing that is there is replaced by them. Holding many takes long, and
    // what changes before they are moved is noticed anyway.
    const replaced = steps.filter(({ change }) => change.kind !== "created").slice(0, maxHeld);
    const release = await context.scope.holdFiles(replaced.map(({ change }) => change.path));
    const isMade = await makeMoves(steps, context).finally(release);
    if (isMade) return describeLayer(steps, { conflicts, denied }, context.author);
    if (attempt === maxAttempts) {
      throw new ToolError(
        "conflict",
        "The workspace changed again and again while the changes of the command were applied. None of them was applied; run the command again.",
      );
    }
  }
}
