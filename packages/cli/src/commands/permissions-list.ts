import type { RuleScope, ScopedRule } from "@haft/core";
import { formatRule, toVisibleText } from "@haft/core/internal";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { openWorkspace, type Workspace } from "../open-workspace.ts";
import type { CommonOptions } from "../options/common-options.ts";
import { ruleFileOf } from "../options/rule-scope.ts";
import { printJson } from "../terminal/print-result.ts";

const scopes: readonly RuleScope[] = ["manifest", "session", "project", "default"];

/** `haft permissions list`: every rule in effect, from the narrowest scope to the widest. */
export async function listRules(
  _input: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const workspace = await openWorkspace(options, io, { makesCalls: false });
  const rules = workspace.openSession().rules();
  await workspace.close();
  if (options.json) printJson(rules.map(toJson), io);
  else for (const scope of scopes) printScope(scope, rules, { workspace, options, io });
  return 0;
}

function toJson({ scope, rule, isUntrusted }: ScopedRule): Record<string, string | boolean> {
  const { permission, pattern, action, when } = rule;
  const condition: { when?: string } = when === undefined ? {} : { when };
  const trust = isUntrusted === true ? { trusted: false } : {};
  return { scope, permission, pattern, action, ...condition, ...trust, rule: formatRule(rule) };
}

interface Context {
  readonly workspace: Workspace;
  readonly options: CommonOptions;
  readonly io: Io;
}

function printScope(scope: RuleScope, rules: readonly ScopedRule[], context: Context): void {
  const { io, options } = context;
  const own = rules.filter((one) => one.scope === scope);
  // Only an agent has a manifest.
  if (scope === "manifest" && own.length === 0) return;
  const given = scope === "session" ? options.rules.length : 0;
  io.out(toVisibleText(`${headings[scope](context)}\n`));
  for (const [index, one] of own.entries()) {
    const note = index < given ? "    (--rule, for this run)" : noteTrust(one);
    io.out(toVisibleText(`  ${formatRule(one.rule)}${note}\n`));
  }
  if (own.length === 0) io.out(`  none; ${howTo[scope as "session" | "project"]}\n`);
  io.out("\n");
}

function noteTrust({ rule, isUntrusted }: ScopedRule): string {
  return isUntrusted === true && rule.action === "allow"
    ? "    (not trusted, so it has no effect: haft trust)"
    : "";
}

const howTo = {
  session: "haft permissions add 'bash git log allow' --scope session",
  project: "haft permissions add 'bash git log allow'",
};

const headings: Readonly<Record<RuleScope, (context: Context) => string>> = {
  manifest: () => "Agent manifest; its denials are final",
  session: ({ workspace, options }) =>
    `Session ${options.session}, in ${ruleFileOf("session", workspace.computer, options)}`,
  project: ({ workspace, options }) =>
    `Project, in ${ruleFileOf("project", workspace.computer, options)}`,
  default: () => "Built in; they apply if no rule above matches. If none matches, you are asked",
};
