import type { PermissionOption, RequestPermissionOutcome } from "@agentclientprotocol/sdk";
import { type AskAnswer, formatRule, type Rule, toVisibleLine } from "@haft/core";

/**
 * What a person can choose from. An answer that holds for longer shows the rule that it stores; where
 * nothing can be stored there is none. Clients that decide by themselves take the first of a kind.
 */
export function toPermissionOptions(rules: readonly Rule[]): PermissionOption[] {
  const once: PermissionOption = { optionId: "once", name: "Allow once", kind: "allow_once" };
  const reject: PermissionOption = { optionId: "reject", name: "Reject", kind: "reject_once" };
  if (rules.length === 0) return [once, reject];
  const stored = toVisibleLine(rules.map(formatRule).join("; "));
  const refused = toVisibleLine(rules.map(nameRefused).join("; "));
  return [
    once,
    option("session", "allow_always", `Always in this session: ${stored}`),
    option("project", "allow_always", `Always in this project: ${stored}`),
    reject,
    option("never", "reject_always", `Always reject in this session: ${refused}`),
  ];
}

/** What was chosen of these; `undefined` if it was none of them. */
export function fromPermissionOutcome(
  outcome: RequestPermissionOutcome,
  options: readonly PermissionOption[],
): AskAnswer["answer"] | undefined {
  if (outcome.outcome !== "selected") return undefined;
  const chosen = options.find(({ optionId }) => optionId === outcome.optionId);
  return chosen?.optionId as AskAnswer["answer"] | undefined;
}

function option(
  id: AskAnswer["answer"],
  kind: PermissionOption["kind"],
  name: string,
): PermissionOption {
  return { optionId: id, kind, name };
}

function nameRefused(rule: Rule): string {
  return formatRule({ ...rule, action: "deny" });
}
