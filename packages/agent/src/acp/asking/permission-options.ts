import type { PermissionOption, RequestPermissionOutcome } from "@agentclientprotocol/sdk";
import type { AskAnswer, AskRequest, Rule } from "@haft/core";
import { formatRule, toVisibleLine } from "@haft/core/internal";

/**
 * Returns the options of a permission request. Options that last longer show the rule that they store; if
 * no rule can be stored, they are left out. Clients that decide automatically choose the first of a kind.
 */
export function toPermissionOptions({
  rules,
  effects,
  program,
}: Pick<AskRequest, "rules" | "effects" | "program">): PermissionOption[] {
  const [yes, no] = effects === undefined ? ["Allow once", "Reject"] : ["Apply once", "Discard"];
  const once = option("once", "allow_once", yes);
  const reject = option("reject", "reject_once", no);
  const stop = program === undefined ? [] : [option("stop", "reject_once", "Stop the program")];
  const inProgram = toVisibleLine((program?.rules ?? []).map(formatRule).join("; "));
  if (rules.length === 0) return [once, reject, ...stop];
  const stored = toVisibleLine(rules.map(formatRule).join("; "));
  // A rule that is too long for a button is not offered.
  if (stored.length > maxRuleLength) return [once, reject, ...stop];
  const refused = toVisibleLine(rules.map(nameRefused).join("; "));
  return [
    once,
    ...(inProgram === "" || inProgram.length > maxRuleLength
      ? []
      : [option("program", "allow_always", `Always until this program ends: ${inProgram}`)]),
    option("session", "allow_always", `Always in this session: ${stored}`),
    option("project", "allow_always", `Always in this project: ${stored}`),
    reject,
    ...stop,
    option("never", "reject_always", `Always reject in this session: ${refused}`),
  ];
}

const maxRuleLength = 400;

/** Returns the answer for the chosen option, or `undefined` if it is none of them. */
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
