import type { RuleAction } from "../api/machine.ts";
import { Badge } from "./notes.tsx";

const tones = { allow: "good", ask: "warn", deny: "bad", none: "neutral" } as const;

/** What is decided about a call, as a word with its colour. */
export function Verdict({ action }: { action: RuleAction | "none" }) {
  return <Badge tone={tones[action]}>{action === "none" ? "no rule" : action}</Badge>;
}
