import { ToolError } from "@haft/contract";
import type { Verdict } from "../../rules/compile-rule.ts";
import { formatRule } from "../../rules/rule.ts";
import { stricter } from "../../rules/stricter.ts";
import type { Call } from "../call.ts";
import type { CallContext } from "../context.ts";

/** Applies the permission rules: go on, ask first, or refuse. */
export function rules(call: Call, context: CallContext): void {
  const verdict = judgeByRules(call, context);
  if (verdict.action === "allow") return;
  const reason = describeVerdict(call, verdict);
  if (verdict.action === "deny") {
    throw new ToolError("denied", `${call.name} was refused by ${reason}. It was not run.`);
  }
  call.askReason = reason;
}

/** What the rules say about a call. */
export function judgeByRules(call: Call, context: CallContext): Verdict {
  const ruleset = context.rules();
  const verdict = ruleset.judge(call.tool, call.subjects);
  if (verdict.action !== "allow") return verdict;
  // What is allowed under one name of a file must be allowed where that name leads.
  const landings = call.subjects.flatMap((subject) => {
    if (subject.type !== "file" || subject.mode !== "write") return [];
    const key = context.computer.identify(subject.key);
    return key === subject.key ? [] : [{ ...subject, key }];
  });
  return landings.length === 0 ? verdict : stricter(verdict, ruleset.judge(call.tool, landings));
}

/** Who said so and why, to be put behind "because of". */
export function describeVerdict(call: Call, { decidedBy, why }: Verdict): string {
  if (decidedBy === undefined) return why ?? `no rule allows ${call.tool.id}`;
  const rule = `the ${decidedBy.scope} rule "${formatRule(decidedBy.rule)}"`;
  return why === undefined ? rule : `${rule} (${why})`;
}
