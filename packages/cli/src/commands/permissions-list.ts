import { formatRule, type RuleScope, type ScopedRule, toVisibleText } from "@haft/core";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { openWorkspace, type Workspace } from "../open-workspace.ts";
import type { CommonOptions } from "../options/common-options.ts";
import { ruleFileOf } from "../options/rule-scope.ts";
import { printJson } from "../terminal/print-result.ts";
import { UsageError } from "../usage-error.ts";

const scopes: readonly RuleScope[] = ["manifest", "session", "project", "default"];

/** `haft permissions list`: every rule in force, those first that are nearer to the call. */
export async function listRules(
  { positionals: [extra] }: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  if (extra !== undefined) throw new UsageError(`What is ${JSON.stringify(extra)}?`);
  const workspace = await openWorkspace(options, io, { makesCalls: false });
  const rules = workspace.openSession().rules();
  await workspace.close();
  if (options.json) printJson(rules.map(toJson), io);
  else for (const scope of scopes) printScope(scope, rules, { workspace, options, io });
  return 0;
}

function toJson({ scope, rule }: ScopedRule): Record<string, string> {
  const { permission, pattern, action, when } = rule;
  const condition: { when?: string } = when === undefined ? {} : { when };
  return { scope, permission, pattern, action, ...condition, rule: formatRule(rule) };
}

interface Place {
  readonly workspace: Workspace;
  readonly options: CommonOptions;
  readonly io: Io;
}

function printScope(scope: RuleScope, rules: readonly ScopedRule[], place: Place): void {
  const { io, options } = place;
  const own = rules.filter((one) => one.scope === scope).map(({ rule }) => formatRule(rule));
  // An agent brings a manifest; whoever calls a tool by hand has none.
  if (scope === "manifest" && own.length === 0) return;
  const given = scope === "session" ? options.rules.length : 0;
  io.out(toVisibleText(`${headings[scope](place)}\n`));
  for (const [index, line] of own.entries()) {
    io.out(toVisibleText(`  ${line}${index < given ? "    (--rule, for this run)" : ""}\n`));
  }
  if (own.length === 0) io.out(`  none; ${howTo[scope as "session" | "project"]}\n`);
  io.out("\n");
}

const howTo = {
  session: "haft permissions add 'bash git log allow' --scope session",
  project: "haft permissions add 'bash git log allow'",
};

const headings: Readonly<Record<RuleScope, (place: Place) => string>> = {
  manifest: () => "Of the agent's manifest; its denials are final",
  session: ({ workspace, options }) =>
    `Of the session ${options.session}, in ${ruleFileOf("session", workspace.computer, options)}`,
  project: ({ workspace, options }) =>
    `Of the project, in ${ruleFileOf("project", workspace.computer, options)}`,
  default: () => "Built in; they hold where none of the above fits, and what none fits is asked",
};
