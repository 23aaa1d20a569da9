import type { RulePreview } from "../hosts/host.ts";
import type { CallRecord } from "../recorder/recorder.ts";
import type { Rule } from "../rules/rule.ts";
import { Call } from "./call.ts";
import type { CallContext } from "./context.ts";
import { understandCall } from "./understand-call.ts";

// A person reads only a few examples, and a long session must not make them wait.
const maxCalls = 200;
const maxExamples = 5;

/** Finds the earlier calls of the session that these rules would have allowed. */
export async function previewRules(
  rules: readonly Rule[],
  { tool }: Pick<Call, "tool">,
  context: CallContext,
): Promise<RulePreview> {
  const rows = [...context.recorder.list(context.storage.id)].slice(-maxCalls);
  const before = context.rules();
  const after = context.rulesWith(rules, "session");
  const allowed: string[] = [];
  for (const row of rows.filter((past) => past.tool === tool.id)) {
    const past = await understandPast(row, context);
    if (past === undefined || after.judge(past.tool, past.subjects).action !== "allow") continue;
    if (before.judge(past.tool, past.subjects).action !== "allow") allowed.push(describe(row));
  }
  const examples = [...new Set(allowed)].slice(-maxExamples);
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
    // A call that can't be understood is not allowed by any rule.
    return undefined;
  }
}

function describe({ name, arguments: args }: CallRecord): string {
  return `${name} ${typeof args === "string" ? args : JSON.stringify(args)}`;
}
