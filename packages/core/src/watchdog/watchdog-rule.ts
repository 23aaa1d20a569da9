import type { CallFacts } from "./reading/call-facts.ts";
import type { WatchdogVerdict } from "./watchdog.ts";

/** Recognises one shape of dangerous calls. Returns `undefined` for calls of any other shape. */
export type WatchdogRule = (facts: CallFacts) => WatchdogVerdict | undefined;

/** Creates a verdict that refuses the call. */
export function deny(reason: string): WatchdogVerdict {
  return { action: "deny", reason };
}

/** Creates a verdict that asks a person first. */
export function ask(reason: string): WatchdogVerdict {
  return { action: "ask", reason };
}

/** Returns the first of the strictest verdicts, or `undefined` if there is none. */
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
