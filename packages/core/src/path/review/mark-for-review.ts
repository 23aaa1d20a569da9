import { isInside } from "@haft/contract/internal";
import type { CommandReading } from "../../commands/command-reading.ts";
import type { Verdict } from "../../rules/compile-rule.ts";
import type { Call } from "../call.ts";
import type { CallContext } from "../context.ts";

/**
 * Lets a command run without approval if no rule decided about it and it can do no harm before its
 * changes are applied: on a layer, without network. Its changes are judged when it has ended.
 */
export function markForReview(
  call: Call,
  verdict: Verdict,
  context: CallContext,
): undefined | Promise<void> {
  const { computer, review, storage } = context;
  if (review === "words" || verdict.action !== "ask" || verdict.decidedBy !== undefined)
    return undefined;
  if (computer.canReview === undefined || !isConfinable(call, computer.roots)) return undefined;
  return computer.canReview(storage.name).then((canReview) => {
    if (!canReview) return;
    call.isReviewed = true;
    call.askReason = undefined;
  });
}

function isConfinable(
  { tool, subjects, grant, isApproved }: Call,
  roots: readonly string[],
): boolean {
  // Jobs and other tools work on the workspace itself.
  if (isApproved || tool.id !== "bash" || tool.source !== "builtin") return false;
  if (grant.places.hosts.length > 0 || subjects.length === 0) return false;
  // Layers lie over the workspace. What else the command may write to is changed at once.
  const isElsewhere = (place: string): boolean => !roots.some((root) => isInside(root, place));
  if (grant.places.write.some((place) => isElsewhere(place) && grant.mayWrite(`${place}/x`))) {
    return false;
  }
  return subjects.every(
    ({ type, reading }) =>
      type === "command" && reading !== undefined && staysOnLayer(reading, grant),
  );
}

function staysOnLayer({ commands, writes }: CommandReading, grant: Call["grant"]): boolean {
  const isForNetwork = commands.some(
    ({ effects }) =>
      effects.includes("net") &&
      // Programs that build do much without a network, and may use one.
      !(effects.includes("runs") && effects.includes("writes")),
  );
  const isOutside = writes.some(
    ({ path, landing = path, isPrivate }) =>
      landing !== undefined && isPrivate !== true && !grant.mayWrite(landing),
  );
  return !isForNetwork && !isOutside;
}
