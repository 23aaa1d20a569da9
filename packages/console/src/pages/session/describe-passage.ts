import type { ListedCall } from "../../api/machine.ts";

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

/** Returns the rule or the answer that decided about a call, as a sentence. */
export function describePassage({ passage, state, error_code: code }: ListedCall): string {
  if (passage === null) {
    return state === "done"
      ? "what let it pass was not recorded"
      : `refused before any rule${code === null ? "" : `: ${code}`}`;
  }
  const { action, rule, scope, answer, watched, reviewed } = passage;
  const by =
    rule === null ? "no rule matched" : `rule ${rule}${scope === null ? "" : ` (${scope})`}`;
  const parts = [
    action === "allow" ? `allowed: ${by}` : action === "deny" ? `denied: ${by}` : `asked: ${by}`,
    ...(watched ? ["the watchdog wanted approval"] : []),
    ...(reviewed ? ["its changes were judged after it ran"] : []),
    ...(answer === null ? [] : [answers[answer] ?? answer]),
  ];
  return parts.join("; ");
}
