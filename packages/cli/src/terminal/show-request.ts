import { clipText } from "@haft/contract/internal";
import type { AskRequest, Computer, Registry, Rule, RulePreview } from "@haft/core";
import { formatRule, toVisibleLine } from "@haft/core/internal";
import { showCallArguments } from "./show-edits.ts";

/** Formats a call that needs approval. */
export function showRequest(request: AskRequest, confinement: string | undefined): string {
  const { name, reason } = request;
  const shown = showCallArguments(request);
  const lines = ["", `${name} wants to run (${reason}):`, "", ...shown, ""];
  // Long arguments push their beginning off the screen, so a summary precedes the question.
  const isLong = shown.length > maxLines || shown.join("").length > maxCharacters;
  if (isLong) lines.push(...summarize(request, shown), "");
  if (confinement !== undefined) lines.push(`  ${confinement}`, "");
  return toText(lines);
}

const maxLines = 15;
const maxCharacters = 1_500;
const maxNamed = 12;

/** Describes the confinement of the programs that a tool runs; `undefined` if it runs none. */
export async function describeConfinement(
  id: string,
  { computer, registry }: { readonly computer: Computer; readonly registry: Registry },
): Promise<string | undefined> {
  const tool = registry.tools().find((one) => one.id === id);
  if (tool?.requires.shell === undefined) return undefined;
  await computer.prepareShell();
  if (computer.shellIsolation !== "sandbox") {
    return "It would run WITHOUT A SANDBOX, with all your permissions.";
  }
  const hosts = computer.variables["allowed-hosts"] ?? [];
  const network = hosts.length === 0 ? "no network" : `no network except ${hosts.join(", ")}`;
  return `It would run in the sandbox: it can write only in the workspace; ${network}.`;
}

function summarize({ name, arguments: args }: AskRequest, shown: readonly string[]): string[] {
  const heads = shown
    .filter((line) => !/^ {4}[|¦] /u.test(line))
    .map((line) => toShortLine(line, 200));
  const left = heads.length - maxNamed;
  return [
    `End of ${name}, shown in full above (${JSON.stringify(args).length} characters):`,
    ...heads.slice(0, maxNamed).map((head) => `  ${head}`),
    ...(left > 0 ? [`    … and ${left} more arguments`] : []),
  ];
}

/** What answers are called, and further answers as lines. */
export interface AnswerWords {
  readonly once: string;
  readonly no: string;
  readonly more: readonly string[];
}

/** Formats the possible answers, and the rules that "always" would store. */
export function showAnswers(
  rules: readonly Rule[],
  preview: readonly string[],
  { once, no, more }: AnswerWords,
): string {
  const always =
    rules.length === 0
      ? ["  no rule can be stored for it: it needs approval each time"]
      : [
          "  s  always in this session; p  always in this project; stores",
          ...rules.map((rule) => `       ${formatRule(rule)}`),
          ...preview,
          "  e  edit the rules before they are stored",
        ];
  return toText([`  y  ${once}`, ...always, ...more, `  n  ${no}`]);
}

/** Whether the rules are few enough to be read on one screen before they are stored. */
export function areReadable(rules: readonly Rule[]): boolean {
  return rules.length <= maxNamed && rules.map(formatRule).join("").length <= maxCharacters;
}

/** Formats which past calls the proposed rules would have allowed. */
export function showPreview({ calls, count, examples }: RulePreview): string[] {
  if (calls === 0) return [];
  const all = calls === 1 ? "the 1 call" : `the ${calls} calls`;
  if (count === 0) return [`     which would have allowed none of ${all} so far`];
  return [
    `     which would have allowed ${count} of ${all} so far:`,
    ...examples.map((example) => `       ${toShortLine(example)}`),
  ];
}

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${toVisibleLine(line)}\n`).join("");
}

function toShortLine(text: string, maxLength = 100): string {
  return clipText(text.replaceAll(/\s+/gu, " "), maxLength);
}
