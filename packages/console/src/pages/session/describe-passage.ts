import type { ListedCall } from "../../api/machine-sessions.ts";

const answers: Readonly<Record<string, string>> = {
  once: "a person approved it once",
  session: "a person approved it for the session",
  project: "a person approved it for the workspace",
  program: "a person approved it for the program",
  approved: "approved before it was made",
  reject: "a person denied it",
  never: "a person denied it for good",
  stop: "a person denied it and ended the program",
};

/** What decided about a call: in words, the rule if one matched, and what else counted. */
export interface Decision {
  readonly words: string;
  readonly rule: string | undefined;
  readonly more: readonly string[];
}

/** Returns the rule or the answer that decided about a call. */
export function describePassage({ passage, state, error_code: code }: ListedCall): Decision {
  if (passage === null) {
    const words =
      state === "done"
        ? "what let it pass was not recorded"
        : `refused before any rule${code === null ? "" : `: ${code}`}`;
    return { words, rule: undefined, more: [] };
  }
  const { action, rule, scope, answer, watched, reviewed } = passage;
  const verdict = { allow: "allowed", ask: "asked", deny: "denied" }[action];
  return {
    words: rule === null ? `${verdict}, no rule matched` : `${verdict} by ${scope ?? "a"} rule`,
    rule: rule ?? undefined,
    more: [
      ...(watched ? ["the watchdog wanted approval"] : []),
      ...(reviewed ? ["its changes were judged after it ran"] : []),
      ...(answer === null ? [] : [answers[answer] ?? answer]),
    ],
  };
}
