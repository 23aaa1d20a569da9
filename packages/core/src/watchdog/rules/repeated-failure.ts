import type { ErrorCode, ToolKind } from "@haft/contract";
import type { EarlierCall } from "../watchdog.ts";
import { deny, type WatchdogRule } from "../watchdog-rule.ts";

/**
 * The same call over and over, failing each time for the same reason while nothing changed. Calls
 * that failed in between do not matter, so that going back and forth between two is found as well.
 */
export const repeatedFailure: WatchdogRule = ({ call }) => {
  const { earlier } = call;
  if (!hasFailures(earlier)) return undefined;
  const since = sinceLastChange(earlier).filter(
    ({ startedAt }) => startedAt > call.startedAt - maxAgeMs,
  );
  const { identity } = call;
  const same = since.filter((earlier) => earlier.identity === identity).slice(-maxFailures);
  const [first] = same;
  const isAlike = ({ failed, errorCode }: EarlierCall): boolean =>
    failed && errorCode === first?.errorCode;
  if (same.length < maxFailures || !same.every(isAlike)) return undefined;
  return deny(
    `This very call of ${call.tool} failed ${maxFailures} times (${first?.errorCode}), and this session changed nothing since, so it would fail again. Try something else: other arguments, another tool, or find out first why it fails. After five minutes it is let through again.`,
  );
};

const maxFailures = 3;

// Others change the world too, and after a while they may have.
const maxAgeMs = 5 * 60_000;

// Quickly said of almost every session, and asked before every call.
function hasFailures(earlier: readonly EarlierCall[]): boolean {
  let count = 0;
  for (let at = earlier.length - 1; at >= 0; at--) {
    if (earlier[at]?.failed && ++count === maxFailures) return true;
  }
  return false;
}

/** The calls that ran since one may have changed what they meet. */
function sinceLastChange(earlier: readonly EarlierCall[]): readonly EarlierCall[] {
  const changed = earlier.findLastIndex(
    ({ failed, kind = "other" }) => !failed && !looksOnly.has(kind),
  );
  return earlier
    .slice(changed + 1)
    .filter(({ failed, errorCode = "internal" }) => !failed || ran.has(errorCode));
}

const looksOnly = new Set<ToolKind>(["read", "search", "think", "fetch"]);

// A call that was refused before it ran says nothing about what it would have met, and what was not
// available may come back at any moment.
const ran = new Set<ErrorCode>([
  "not-found",
  "conflict",
  "too-large",
  "binary",
  "secret-file",
  "timeout",
  "quota",
  "failed",
  "internal",
]);
