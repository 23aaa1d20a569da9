import type { RulePreview } from "../hosts/host.ts";
import type { CallRecord } from "../recorder/recorder.ts";
import type { Rule } from "../rules/rule.ts";
import { Call } from "./call.ts";
import type { CallContext } from "./context.ts";
import { understandCall } from "./understand-call.ts";

// A person looks at a few; a long session must not make them wait.
const mostCalls = 200;
const mostExamples = 5;

/** Finds out which of the session's calls so far these rules would have allowed unasked. */
export async function previewRules(
  rules: readonly Rule[],
  { tool }: Pick<Call, "tool">,
  context: CallContext,
): Promise<RulePreview> {
  const rows = [...context.recorder.list(context.storage.id)].slice(-mostCalls);
  const before = context.rules();
  const after = context.rulesWith(rules, "session");
  const allowed: string[] = [];
  for (const row of rows.filter((past) => past.tool === tool.id)) {
    const past = await understandPast(row, context);
    if (past === undefined || after.judge(past.tool, past.subjects).action !== "allow") continue;
    if (before.judge(past.tool, past.subjects).action !== "allow") allowed.push(describe(row));
  }
  const examples = [...new Set(allowed)].slice(-mostExamples);
  return { calls: rows.length, count: allowed.length, examples };
}

async function understandPast(row: CallRecord, context: CallContext): Promise<Call | undefined> {
  const call = new Call(
    row.callId,
    { name: row.name, arguments: row.arguments },
    { at: row.startedAt, monotonic: 0 },
  );
  try {
    await understandCall(call, context);
    return call;
  } catch {
    // What was not understood then is not now; no rule allows it.
    return undefined;
  }
}

function describe({ name, arguments: args }: CallRecord): string {
  return `${name} ${typeof args === "string" ? args : JSON.stringify(args)}`;
}
