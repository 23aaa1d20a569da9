import { type ErrorCode, ToolError } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import type { Call } from "../path/call.ts";
import { openScope } from "../path/call-runtime.ts";
import type { CallContext } from "../path/context.ts";
import { markForReview } from "../path/review/mark-for-review.ts";
import { findAllowing } from "../path/steps/ask.ts";
import { available } from "../path/steps/available.ts";
import { capability } from "../path/steps/capability.ts";
import { recordable } from "../path/steps/record.ts";
import { describeVerdict, judgeByRules } from "../path/steps/rules.ts";
import { watchdog } from "../path/steps/watchdog.ts";
import { understandCall } from "../path/understand-call.ts";
import type { Verdict } from "../rules/compile-rule.ts";
import { formatRule, type RuleAction, type RuleScope } from "../rules/rule.ts";
import type { Subject } from "../rules/subject.ts";

/**
 * The check that decides about a call, or the origin of the deciding rule. `none`: no rule matches.
 * `files`, `network` and `shell` are the checks at the time of use. `review`: the command runs on a
 * layer, and its changes are judged when it has ended.
 */
export type JudgementStage =
  | "arguments"
  | "available"
  | "capability"
  | "watchdog"
  | "record"
  | "files"
  | "network"
  | "shell"
  | "review"
  | RuleScope
  | "none";

/** The outcome of checking a call. */
export interface Judgement {
  readonly action: RuleAction;
  readonly stage: JudgementStage;
  /** The deciding rule as a line, or null. */
  readonly rule: string | null;
  readonly why: string;
  /** What to do about a refusal or a question, where `why` does not say it. */
  readonly remedy: string | null;
  /** What can be known only when the call runs and may still refuse it. */
  readonly unchecked: readonly string[];
}

/**
 * Takes a call through all checks without running it, including those at the time of use. Returns the
 * first refusal. Without one, a question comes before the permission.
 */
export async function judgeCall(call: Call, context: CallContext): Promise<Judgement> {
  const refused =
    (await attempt("arguments", () => understandCall(call, context))) ??
    (await attempt("available", () => available(call, context))) ??
    (await attempt("capability", () => capability(call, context)));
  if (refused !== undefined) return refused;
  const verdict = judgeByRules(call, context);
  const byWords = fromRules(call, verdict, context);
  if (byWords.action === "deny") return byWords;
  await markForReview(call, verdict, context);
  const byRules = call.isReviewed ? toReviewed(byWords, context) : byWords;
  const unchecked: string[] = context.hooks === undefined ? [] : ["what hooks decide about it"];
  const stopped =
    (await attempt("watchdog", () => watchdog(call, context))) ??
    (await attempt("record", () => recordable(call, context))) ??
    (await judgeUses(call, context, unchecked));
  if (stopped !== undefined) return stopped;
  if (call.isReviewed && context.review === "effects") unchecked.push("which files it changes");
  if (byRules.action === "ask" || call.askReason === undefined) return { ...byRules, unchecked };
  const why = call.askReason;
  const remedy = toAllow(call, context);
  return { action: "ask", stage: "watchdog", rule: null, why, remedy, unchecked };
}

function fromRules(call: Call, verdict: Verdict, context: CallContext): Judgement {
  const { action, decidedBy } = verdict;
  return {
    action,
    stage: decidedBy?.scope ?? "none",
    rule: decidedBy === undefined ? null : formatRule(decidedBy.rule),
    why: describeVerdict(call, verdict),
    remedy: findRemedy(call, verdict, context),
    unchecked: [],
  };
}

function toReviewed({ why }: Judgement, { review }: CallContext): Judgement {
  const judged =
    review === "off"
      ? "its changes are applied, except those that a rule denies"
      : "its changes are judged by the rules on writing files before they are applied";
  return {
    action: "allow",
    stage: "review",
    rule: null,
    why: `it runs on a layer without network, and ${judged} (by its words alone it would be asked: ${why})`,
    remedy: null,
    unchecked: [],
  };
}

function findRemedy(
  call: Call,
  { action, decidedBy }: Verdict,
  context: CallContext,
): string | null {
  if (action === "allow") return null;
  if (action === "ask") return toAllow(call, context);
  if (decidedBy === undefined) return null;
  return decidedBy.scope === "manifest"
    ? "A manifest's deny is final. To allow the call, change the manifest."
    : `To allow the call, remove or narrow this rule of the ${decidedBy.scope}.`;
}

function toAllow(call: Call, context: CallContext): string | null {
  const rules = findAllowing(call, context).map(formatRule);
  if (rules.length === 0) return null;
  return `To allow it, add the ${rules.length === 1 ? "rule" : "rules"}: ${rules.join("; ")}`;
}

/** Checks what a call would use at the time of use, and notes what can't be known before. */
export async function judgeUses(
  call: Call,
  context: CallContext,
  unchecked: string[],
): Promise<Judgement | undefined> {
  const scope = openScope(call, context);
  for (const subject of call.subjects) {
    const stage = stages[subject.type];
    if (stage === undefined) continue;
    const refused = await attempt(stage, async () => {
      const unknown = await context.computer.judgeUse(subject, scope);
      if (unknown !== undefined) unchecked.push(unknown);
    });
    if (refused !== undefined) return refused;
  }
  unchecked.push(...findUndeclared(call));
  return undefined;
}

const stages: Readonly<Record<Subject["type"], "files" | "network" | "shell" | undefined>> = {
  file: "files",
  host: "network",
  command: "shell",
  name: undefined,
};

// A tool need not declare what a call touches.
function findUndeclared({ tool, subjects }: Call): string[] {
  const declares = (type: Subject["type"]): boolean => subjects.some((one) => one.type === type);
  const { fs, net, shell } = tool.requires;
  // Commands and names say it in their own way.
  if (shell !== undefined || declares("name")) return [];
  return [
    ...(fs !== undefined && !declares("file") ? ["which files the call uses"] : []),
    ...(net !== undefined && !declares("host") ? ["which hosts the call reaches"] : []),
  ];
}

/** Returns the refusal of a check, if it refuses. */
export async function attempt(
  stage: Exclude<JudgementStage, RuleScope | "review" | "none">,
  step: () => unknown,
): Promise<Judgement | undefined> {
  try {
    await step();
    return undefined;
  } catch (error) {
    const why = toErrorMessage(error);
    const code = ToolError.isInstance(error) ? error.code : undefined;
    const remedy = (stage === "files" && code && fileRemedies[code]) || null;
    return { action: "deny", stage, rule: null, why, remedy, unchecked: [] };
  }
}

const fileRemedies: Readonly<Partial<Record<ErrorCode, string>>> = {
  "secret-file": "No rule opens it. Continue without the file, or rename it if it holds no secret.",
  denied:
    "Only a rule of the session that spells out the exact path allows changing a protected file.",
};
