import { clipText } from "@haft/contract/internal";
import type { Rule, RulePreview } from "@haft/core";
import { formatRule, nearestNames, toVisibleLine, toVisibleText } from "@haft/core/internal";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { openComputer, openWorkspace } from "../open-workspace.ts";
import { type CommonOptions, readRule } from "../options/common-options.ts";
import { previewRule } from "../options/preview-rule.ts";
import { readScope, ruleFileOf } from "../options/rule-scope.ts";
import { printJson } from "../terminal/print-result.ts";
import { UsageError } from "../usage-error.ts";

/** `haft permissions add`: stores a rule and shows which past calls it would have allowed. */
export async function addRule(
  input: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const scope = readScope(input);
  const rule = readRuleWords(input.positionals);
  const workspace = await openWorkspace(options, io, { makesCalls: false });
  const { rules: stored } = workspace.computer.openSession(options.session);
  const path = ruleFileOf(scope, workspace.computer, options);
  const preview = await previewOrRefuse(rule, () => previewRule(rule, workspace));
  await workspace.close();
  const before = stored.list(scope);
  const line = formatRule(rule);
  const isNew = !before.some((one) => formatRule(one) === line);
  await stored.add(scope, rule);
  if (options.json) {
    printJson({ scope, rule: line, path, added: isNew, would_allow: preview }, io);
    return 0;
  }
  io.out(toVisibleLine(isNew ? `Added to ${path}: ${line}` : `Already in ${path}: ${line}`));
  io.out("\n");
  const other = before.find((one) => isAbout(one, rule) && one.action !== rule.action);
  if (other !== undefined) {
    io.out(toVisibleText(`There is also ${formatRule(other)}; the stricter of the two applies.\n`));
  }
  if (rule.action === "allow") printPreview(preview, io);
  return 0;
}

/** `haft permissions remove` */
export async function removeRule(
  input: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const scope = readScope(input);
  const line = formatRule(readRuleWords(input.positionals));
  const computer = openComputer(options, io);
  const { rules: stored } = computer.openSession(options.session);
  const path = ruleFileOf(scope, computer, options);
  const removed = await stored.remove(scope, readRule(line, "remove"));
  if (options.json) printJson({ scope, rule: line, path, removed }, io);
  else if (removed) io.out(`${toVisibleLine(`Removed from ${path}: ${line}`)}\n`);
  if (removed) return 0;
  const lines = (["project", "session"] as const).flatMap((where) =>
    stored.list(where).map((one) => `${formatRule(one)}${where === scope ? "" : ` (${where})`}`),
  );
  const near = nearestNames(line, lines);
  const hint = near.length === 0 ? "" : ` Similar: ${near.join("; ")}.`;
  io.error(`${toVisibleLine(`haft: ${path} has no rule ${JSON.stringify(line)}.${hint}`)}\n`);
  return 1;
}

function readRuleWords(words: readonly string[]): Rule {
  return readRule(words.join(" "), "The rule");
}

// A stored pattern that does not compile would make every call fail.
async function previewOrRefuse(
  rule: Rule,
  preview: () => Promise<RulePreview>,
): Promise<RulePreview> {
  try {
    return await preview();
  } catch (error) {
    throw new UsageError(`${formatRule(rule)} was not stored. ${(error as Error).message}`);
  }
}

function isAbout(one: Rule, other: Rule): boolean {
  return (
    one.permission === other.permission && one.pattern === other.pattern && one.when === other.when
  );
}

function printPreview({ calls, count, examples }: RulePreview, io: Io): void {
  if (calls === 0) return;
  const all = calls === 1 ? "the 1 call" : `the ${calls} calls`;
  if (count === 0) {
    io.out(`It would have allowed none of ${all} of this session that needed approval.\n`);
    return;
  }
  io.out(`It would have allowed ${count} of ${all} of this session that needed approval:\n`);
  for (const example of examples) io.out(`  ${toVisibleLine(clipText(example, 120))}\n`);
}
