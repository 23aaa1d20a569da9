import { ToolError } from "@haft/contract";
import type { Verdict } from "../../rules/compile-rule.ts";
import { formatRule } from "../../rules/rule.ts";
import type { Ruleset } from "../../rules/ruleset.ts";
import { stricter } from "../../rules/stricter.ts";
import type { Subject } from "../../rules/subject.ts";
import type { Call } from "../call.ts";
import type { CallContext } from "../context.ts";
import { markForReview } from "../review/mark-for-review.ts";

/** Applies the permission rules: allow, ask first, review afterwards or refuse. */
export function rules(call: Call, context: CallContext): undefined | Promise<void> {
  const verdict = judgeByRules(call, context);
  call.verdict = verdict;
  if (verdict.action === "allow") return undefined;
  const reason = describeVerdict(call, verdict);
  if (verdict.action === "deny") {
    throw new ToolError("denied", `${call.name} was refused by ${reason}. It was not run.`);
  }
  call.askReason = reason;
  return markForReview(call, verdict, context);
}

/** Returns the verdict of the rules on a call. Default: of those that hold for it now. */
export function judgeByRules(
  call: Call,
  context: CallContext,
  ruleset: Ruleset = rulesFor(call, context),
): Verdict {
  const { tool, subjects } = call;
  let verdict = judgeCapabilities(call, ruleset, ruleset.judge(tool, subjects));
  for (const subject of subjects) {
    if (verdict.action === "deny") break;
    const more = judgeFile(subject, tool, { ruleset, context });
    if (more !== undefined) verdict = stricter(verdict, more);
  }
  return verdict;
}

/** Returns the rules that hold for a call: the session's, and what a person allowed its program. */
export function rulesFor({ program }: Call, context: CallContext): Ruleset {
  return program === undefined ? context.rules() : program.rulesOf(context);
}

// The subjects of a call do not show everything that its tool declares.
function judgeCapabilities({ tool, subjects }: Call, ruleset: Ruleset, verdict: Verdict): Verdict {
  const { fs, net, shell, capabilities = [] } = tool.requires;
  const runsHidden = shell !== undefined && subjects.every(({ type }) => type !== "command");
  const names = runsHidden ? [...capabilities, "shell.run"] : capabilities;
  if (names.length === 0) return verdict;
  const verdicts = names.map((name) => ruleset.judgeCapability(tool, name));
  const known = verdicts.filter((one) => one !== undefined);
  const isAllThereIs = !(fs || net || shell) && subjects.length === 0;
  // A tool that touches nothing else is allowed if its capabilities are.
  if (isAllThereIs && verdict.decidedBy === undefined && known.length === names.length) {
    return known.reduce(stricter);
  }
  return known.reduce(stricter, verdict);
}

// A file must also be allowed under the path that links lead to, and a file that is written and read
// must not be denied to readers.
function judgeFile(
  subject: Subject,
  tool: Call["tool"],
  { ruleset, context }: { readonly ruleset: Ruleset; readonly context: CallContext },
): Verdict | undefined {
  if (subject.type !== "file") return undefined;
  const mayReadAny = subject.reads !== true || ruleset.allowsEveryFile(tool, "read");
  if (mayReadAny && ruleset.allowsEveryFile(tool, subject.mode)) return undefined;
  const landing = findLanding(subject, context);
  const own = landing && ruleset.judge(tool, [landing]);
  if (mayReadAny) return own;
  const reads = [subject, ...(landing === undefined ? [] : [landing])].map(
    (one): Subject => ({ ...one, mode: "read" }),
  );
  const reading = ruleset.judge(tool, reads);
  if (reading.action !== "deny") return own;
  return own === undefined ? reading : stricter(own, reading);
}

/** Returns the files that a call would reach through links, by the paths that the links lead to. */
export function findLandings({ subjects }: Call, context: CallContext): readonly Subject[] {
  return subjects.flatMap((subject) => findLanding(subject, context) ?? []);
}

function findLanding(subject: Subject, { computer }: CallContext): Subject | undefined {
  if (subject.type !== "file") return undefined;
  const key = computer.identify(subject.key);
  return key === subject.key ? undefined : { ...subject, key };
}

/** Describes which rule decided and why, to follow "refused by". */
export function describeVerdict(call: Call, { decidedBy, why }: Verdict): string {
  if (decidedBy === undefined) return why ?? `no rule allows ${describeUse(call)}`;
  const rule = `the ${decidedBy.scope} rule "${formatRule(decidedBy.rule)}"`;
  return why === undefined ? rule : `${rule} (${why})`;
}

// Files, hosts and commands are in the arguments; names are computed by the tool.
function describeUse({ tool, subjects }: Call): string {
  if (tool.source !== "builtin") return tool.id;
  const names = subjects.filter(({ type }) => type === "name").map(({ key }) => key);
  return [tool.id, ...names].join(" ");
}
