import type { CallFacts } from "./reading/call-facts.ts";
import type { WatchdogVerdict } from "./watchdog.ts";

/** One shape of calls that are worth stopping. */
export interface WatchdogRule {
  readonly name: string;
  /** What it says of a call that has the shape; `undefined` of any other. */
  judge(facts: CallFacts): WatchdogVerdict | undefined;
}

/** A verdict that refuses. */
export function deny(reason: string): WatchdogVerdict {
  return { action: "deny", reason };
}

/** A verdict that has a person asked. */
export function ask(reason: string): WatchdogVerdict {
  return { action: "ask", reason };
}

/** The strictest of several verdicts, and the first of those; `undefined` if there is none. */
export function strictest(
  verdicts: Iterable<WatchdogVerdict | undefined>,
): WatchdogVerdict | undefined {
  let found: WatchdogVerdict | undefined;
  for (const verdict of verdicts) {
    if (verdict?.action === "deny") return verdict;
    found ??= verdict;
  }
  return found;
}
