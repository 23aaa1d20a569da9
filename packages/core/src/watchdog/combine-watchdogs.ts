import type { Watchdog, WatchdogVerdict } from "./watchdog.ts";

/**
 * Combines several watchdogs into one. All are asked, and the strictest verdict holds. If several want
 * a person to be asked, the question has all their reasons.
 *
 * @example
 * ```ts
 * import { combineWatchdogs, createWatchdog, type Watchdog } from "@haft/core";
 *
 * const noPushes: Watchdog = ({ tool }) =>
 *   tool === "push" ? { action: "deny", reason: "Pushes are made by people." } : { action: "allow" };
 * const watchdog = combineWatchdogs(createWatchdog(), noPushes);
 * ```
 */
export function combineWatchdogs(...watchdogs: readonly Watchdog[]): Watchdog {
  return (call) => {
    let strictest: WatchdogVerdict = allowed;
    for (let at = 0; at < watchdogs.length; at++) {
      const verdict = (watchdogs[at] as Watchdog)(call);
      if (isLate(verdict)) {
        return joinLater([
          strictest,
          verdict,
          ...watchdogs.slice(at + 1).map((next) => next(call)),
        ]);
      }
      strictest = joinVerdicts(strictest, verdict);
      if (strictest.action === "deny") return strictest;
    }
    return strictest;
  };
}

/** Whether a watchdog takes its time: no promise is made for one that answers at once. */
export function isLate<Verdict>(
  verdict: Verdict | PromiseLike<Verdict>,
): verdict is PromiseLike<Verdict> {
  return typeof (verdict as Partial<PromiseLike<Verdict>> | undefined)?.then === "function";
}

const allowed: WatchdogVerdict = { action: "allow" };
const strictness = ["allow", "ask", "deny"];

async function joinLater(
  verdicts: readonly (WatchdogVerdict | PromiseLike<WatchdogVerdict>)[],
): Promise<WatchdogVerdict> {
  return (await Promise.all(verdicts)).reduce(joinVerdicts);
}

/**
 * Returns the stricter of two verdicts. Two questions become one, so that an answer to one of them does
 * not answer the other. An invalid verdict is a refusal.
 */
export function joinVerdicts(one: WatchdogVerdict, other: WatchdogVerdict): WatchdogVerdict {
  if (!strictness.includes(other?.action)) return { action: "deny", reason: noVerdict };
  if (one.action !== "ask" || other.action !== "ask") {
    return strictness.indexOf(other.action) > strictness.indexOf(one.action) ? other : one;
  }
  const reason = [one.reason, other.reason].filter((text) => text !== undefined).join("; ");
  if (one.shape === undefined || other.shape === undefined) return { action: "ask", reason };
  return { action: "ask", reason, shape: `${one.shape}+${other.shape}` };
}

const noVerdict = "A watchdog gave no verdict, so nothing is let through.";
