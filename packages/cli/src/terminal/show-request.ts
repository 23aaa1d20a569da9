import {
  type AskRequest,
  formatRule,
  type Rule,
  type RulePreview,
  showArguments,
  toVisibleLine,
} from "@haft/core";

/** A call that waits for a person's word, as the person is to read it. */
export function showRequest(request: AskRequest, confinement: string | undefined): string {
  const { name, reason, arguments: args } = request;
  const lines = ["", `${name} wants to run (${reason}):`, "", ...showArguments(args), ""];
  if (confinement !== undefined) lines.push(`  ${confinement}`, "");
  return toText(lines);
}

/** The answers that can be given, and what "always" would store. */
export function showAnswers(rules: readonly Rule[], preview: readonly string[]): string {
  const always =
    rules.length === 0
      ? ["  nothing of it can be stored: it has to be looked at each time"]
      : [
          "  s  always in this session; p  always in this project; stores",
          ...rules.map((rule) => `       ${formatRule(rule)}`),
          ...preview,
          "  e  change what is stored first",
        ];
  return toText(["  y  once", ...always, "  n  no"]);
}

/** What the proposed rules would have allowed so far. */
export function showPreview({ calls, count, examples }: RulePreview): string[] {
  if (calls === 0) return [];
  const all = calls === 1 ? "the 1 call" : `the ${calls} calls`;
  if (count === 0) return [`     which would have allowed none of ${all} so far`];
  return [
    `     which would have allowed ${count} of ${all} so far:`,
    ...examples.map((example) => `       ${clip(example)}`),
  ];
}

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${toVisibleLine(line)}\n`).join("");
}

function clip(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ");
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
