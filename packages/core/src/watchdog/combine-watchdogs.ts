import type { Watchdog, WatchdogVerdict } from "./watchdog.ts";

/** Makes one watchdog of several. All are asked, and the strictest has its way. */
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
      strictest = stricter(strictest, verdict);
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
  return (await Promise.all(verdicts)).reduce(stricter);
}

// What is no verdict at all must not pass for a mild one: whoever asked refuses it.
function stricter(one: WatchdogVerdict, other: WatchdogVerdict): WatchdogVerdict {
  if (!strictness.includes(other?.action)) return { action: "deny", reason: noVerdict };
  return strictness.indexOf(other.action) > strictness.indexOf(one.action) ? other : one;
}

const noVerdict = "A watchdog gave no verdict, so nothing is let through.";
