import { ToolError } from "@haft/contract";
import { formatRule } from "../../rules/rule.ts";
import type { Call } from "../call.ts";
import type { CallContext } from "../context.ts";

/** Applies the permission rules: go on, ask first, or refuse. */
export function rules(call: Call, context: CallContext): void {
  const verdict = context.rules().judge(call.tool, call.subjects);
  if (verdict.action === "allow") return;
  const decided = verdict.decidedBy;
  const rule = decided && `the ${decided.scope} rule "${formatRule(decided.rule)}"`;
  if (verdict.action === "deny") {
    throw new ToolError("denied", `${call.name} was refused by ${rule}. It was not run.`);
  }
  call.askReason = rule ?? `no rule allows ${call.tool.id}`;
}
