import type { CallRecord, Rule, RulePreview } from "@haft/core";
import { portable } from "@haft/core/internal";
import type { Workspace } from "../open-workspace.ts";
import { dialects } from "./common-options.ts";

// As many as an approval question shows, so that both agree.
const maxCalls = 200;
const maxExamples = 5;

/**
 * Returns which recorded calls of the session a rule would have allowed without asking. Throws if
 * the rule is invalid.
 */
export async function previewRule(rule: Rule, workspace: Workspace): Promise<RulePreview> {
  const trial = workspace.openSession({ dialect: portable, rules: [rule], watchdog: "off" });
  await trial.judge({ name: "read", arguments: { path: "." } });
  const rows = [...workspace.recorder.list(trial.id)].slice(-maxCalls);
  const allowed: string[] = [];
  for (const dialect of dialects) {
    const own = rows.filter((row) => row.dialect === dialect.name);
    if (own.length === 0) continue;
    const before = workspace.openSession({ dialect, rules: [], watchdog: "off" });
    const after = workspace.openSession({ dialect, rules: [rule], watchdog: "off" });
    for (const { name, arguments: args } of own) {
      const request = { name, arguments: args };
      if ((await after.judge(request)).action !== "allow") continue;
      if ((await before.judge(request)).action !== "allow") allowed.push(describe(name, args));
    }
  }
  const examples = [...new Set(allowed)].slice(-maxExamples);
  return { calls: rows.length, count: allowed.length, examples };
}

function describe(name: string, args: CallRecord["arguments"]): string {
  return `${name} ${typeof args === "string" ? args : JSON.stringify(args)}`;
}
