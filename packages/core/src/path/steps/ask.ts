import { type JsonValue, ToolError } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import type { AskAnswer, AskRequest, FileVersion, WaitingFacts } from "../../hosts/host.ts";
import { toCanonicalJson } from "../../recorder/canonical-json.ts";
import { proposeRules, widenRules } from "../../rules/propose-rules.ts";
import { formatRule, isStorable, type Rule } from "../../rules/rule.ts";
import type { Call } from "../call.ts";
import { enterState } from "../call-events.ts";
import type { CallContext } from "../context.ts";
import { findFileVersions, judgeAgain } from "../judge-again.ts";
import { previewRules } from "../preview-rules.ts";
import { untilAborted } from "../until-aborted.ts";
import { toSentCall } from "../waiting-facts.ts";
import { askHooks } from "./hooks.ts";
import { findLandings, judgeByRules } from "./rules.ts";

/** Asks the host if the rules or the watchdog require it, and stores an "always" or "never" answer. */
export function ask(call: Call, context: CallContext): undefined | Promise<void> {
  if (call.askReason === undefined || call.isApproved) return undefined;
  return askHost(call, call.askReason, context);
}

async function askHost(call: Call, reason: string, context: CallContext): Promise<void> {
  const proposed = proposeForCall(call, context);
  const rules = findAllowing(call, context, proposed);
  const shown = findNamedFiles(call, context);
  // The approved arguments are what runs, even if the caller changes its object.
  call.args = structuredClone(call.args);
  if (context.hooks !== undefined) await askHooks(call, reason, context);
  if (!context.host.headless) enterState(call, "blocked-on-user", context);
  const reasons = [reason, ...shown.flatMap(describeLink)].join("; ");
  const programRules = findProgramRules(call, rules, context);
  const files = findFileVersions(call, context);
  const answer = await askAbout(call, { reason: reasons, rules, programRules, files }, context);
  call.approval = answer.approval;
  if (answer.approval !== undefined && isApproval(answer)) {
    await judgeAgain(call, context, { reason, files });
  }
  const denied = rules.length > 0 ? rules : proposed;
  if (!(await takeAnswer(answer, { call, rules, programRules, proposed: denied }, context)))
    throw rejection(call, answer);
  requireSame(call, shown, findNamedFiles(call, context));
  // The person approved the command itself, so its changes need no second question.
  call.isReviewed = false;
  enterState(call, "in-progress", context);
}

/**
 * Returns the rules that an "always" answer stores, or none if the same call would need approval again.
 * Rules can't allow what is uncertain, or what another rule asks about. A question of the watchdog is
 * answered for exactly this call.
 */
export function findAllowing(
  call: Call,
  context: CallContext,
  proposed: readonly Rule[] = proposeForCall(call, context),
): readonly Rule[] {
  const { isWatched, watchdogRule } = call;
  if (isWatched && watchdogRule === undefined) return [];
  const answers = isWatched && watchdogRule !== undefined ? [watchdogRule] : [];
  if (isWatched && judgeByRules(call, context).action === "allow") return answers;
  if (proposed.length === 0 || !proposed.every(isStorable)) return [];
  const ruleset = context.rulesWith(proposed, "session");
  if (judgeByRules(call, context, ruleset).action !== "allow") return [];
  return [...proposed, ...answers];
}

// The rules that allow calls like this one until the program ends.
function findProgramRules(
  call: Call,
  rules: readonly Rule[],
  context: CallContext,
): readonly Rule[] {
  if (call.program === undefined || call.isWatched) return rules;
  const wide = widenRules(rules);
  const verdict = judgeByRules(call, context, context.rulesWith(wide, "session"));
  return verdict.action === "allow" ? wide : rules;
}

function proposeForCall(call: Call, context: CallContext): readonly Rule[] {
  const { tool, subjects } = call;
  const touched = { tool, subjects: [...subjects, ...findLandings(call, context)] };
  return proposeRules(touched, context.computer.roots);
}

/** A file that a call names, and its path after following links. */
interface NamedFile {
  readonly path: string;
  readonly landing: string;
  /** A target outside the grant is not shown, because it would reveal what exists there. */
  readonly isGranted: boolean;
}

function findNamedFiles(
  { subjects, grant }: Call,
  { computer }: CallContext,
): readonly NamedFile[] {
  return subjects.flatMap(({ type, key, cwd }): NamedFile[] => {
    const path = type === "file" ? key : cwd;
    if (path === undefined) return [];
    const landing = computer.identify(path);
    return [{ path, landing, isGranted: grant.mayRead(landing) }];
  });
}

function describeLink({ path, landing, isGranted }: NamedFile): string[] {
  return landing === path || !isGranted ? [] : [`${path} leads to ${landing}`];
}

// An approval covers only the file that the name led to at that time.
function requireSame(call: Call, before: readonly NamedFile[], after: readonly NamedFile[]): void {
  const moved = before.find(({ landing }, index) => after[index]?.landing !== landing);
  if (moved === undefined) return;
  throw new ToolError(
    "conflict",
    `${call.name} was not run: ${moved.path} was changed to lead to another file while the user was asked. Check the path and call again.`,
  );
}

function rejection(call: Call, { reason }: AskAnswer): ToolError {
  return new ToolError(
    "rejected-by-user",
    reason ?? `The user rejected this call of ${call.name}. It was not run.`,
  );
}

/** Asks the host about a call, or about what its command changed. */
export function askAbout(
  call: Call,
  { programRules, files, ...about }: AskedAbout,
  context: CallContext,
): Promise<AskAnswer> {
  const { host, storage, secrets, clock } = context;
  const { program, number } = call;
  const args = secrets.hideInData(structuredClone(call.args) as JsonValue);
  const since = clock.monotonic();
  const asked = untilAborted(
    call,
    host.ask({
      session: storage.id,
      callId: call.id,
      name: call.name,
      tool: call.tool.id,
      arguments: args,
      ...about,
      ...(program !== undefined && {
        reason: `${about.reason}; call ${number} of the ${program.made} that this program has made`,
        program: {
          callId: program.callId,
          call: number,
          calls: program.made,
          rules: programRules ?? about.rules,
        },
      }),
      wouldAllow: () => previewRules(about.rules, call, context),
      toWaiting: () => toWaiting(call, { ...about, files, args }, context),
      signal: call.signal,
    }),
  )
    .then((given) => {
      call.answer = given.answer;
      return given;
    })
    .finally(() => {
      call.askedMs = (call.askedMs ?? 0) + Math.round(clock.monotonic() - since);
    });
  return program === undefined ? asked : program.whileAsking(asked);
}

function toWaiting(
  call: Call,
  { args, reason, rules, effects, files }: AskedAbout & { readonly args: JsonValue },
  context: CallContext,
): WaitingFacts {
  return {
    call: effects === undefined ? toSentCall(call, context) : undefined,
    dialect: context.dialect.name,
    shown: toCanonicalJson([call.tool.id, args, reason, rules.map(formatRule), effects ?? null]),
    files,
  };
}

function isApproval({ answer }: AskAnswer): boolean {
  return answer !== "reject" && answer !== "never" && answer !== "stop";
}

/** Stores the rules that an answer asks for. Returns whether it is an approval. */
export async function takeAnswer(
  { answer, rules: edited }: AskAnswer,
  { call, rules, programRules, proposed }: AskedRules,
  context: CallContext,
): Promise<boolean> {
  switch (answer) {
    case "once":
      return true;
    case "session":
    case "project":
      await storeRules(edited ?? rules, answer, context);
      return true;
    case "never":
      await storeRules((edited ?? proposed).map(toDenial), "session", context);
      return false;
    case "program":
      call.program?.allow(edited ?? programRules ?? rules);
      return call.program !== undefined;
    case "stop":
      call.program?.stop();
      return false;
    // Any other answer of a host is not an approval.
    default:
      return false;
  }
}

/** What a person is asked about a call. */
interface AskedAbout extends Pick<AskRequest, "reason" | "rules" | "effects"> {
  /** The rules that would allow calls like it in its program. Default: `rules`. */
  readonly programRules?: readonly Rule[];
  /** The files that the answer depends on. */
  readonly files: readonly FileVersion[];
}

/** A call that a person was asked about. */
interface AskedRules {
  readonly call: Call;
  /** The rules that would allow it. */
  readonly rules: readonly Rule[];
  readonly programRules?: readonly Rule[];
  /** The rules that describe it. */
  readonly proposed: readonly Rule[];
}

function toDenial(rule: Rule): Rule {
  return { ...rule, action: "deny" };
}

async function storeRules(
  rules: readonly Rule[],
  scope: "session" | "project",
  context: CallContext,
): Promise<void> {
  try {
    for (const rule of rules) await context.stored.add(scope, rule);
  } catch (error) {
    // The decision for this call stands. Only the next call will be asked about again.
    context.events.warn(`A ${scope} rule could not be stored: ${toErrorMessage(error)}`);
  }
  context.rulesChanged();
}
