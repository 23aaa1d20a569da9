import { type ErrorCode, ToolError } from "@haft/contract";
import { isInside, toErrorMessage } from "@haft/contract/internal";
import type { EffectReview, LayerEffect } from "../../computer.ts";
import type { AskAnswer, AskedChange } from "../../hosts/host.ts";
import { toVisibleLine } from "../../hosts/visible-text.ts";
import { programTool, writeTool } from "../../rules/command-verdict.ts";
import { formatRule, isStorable, type Rule } from "../../rules/rule.ts";
import type { Ruleset } from "../../rules/ruleset.ts";
import type { Call } from "../call.ts";
import { enterState } from "../call-events.ts";
import type { CallContext } from "../context.ts";
import { findChanged, versionsOf } from "../judge-again.ts";
import { askAbout, takeAnswer } from "../steps/ask.ts";
import { rulesFor } from "../steps/rules.ts";
import { joinDiffs, listEffects, listFiles, proposeForEffects } from "./list-effects.ts";

/** Tells whether a rule denies that a command changes a path: one for programs or one for `write`. */
export function isChangeDenied(path: string, context: Pick<CallContext, "rules">): boolean {
  return [programTool, writeTool].some((tool) => context.rules().denies(tool, path, "write"));
}

/**
 * Judges what a command changed on its layer like writes of these paths, and asks a person once about
 * those that need approval. The paths have no links in them, because the layer shows where writes
 * landed. Returns `undefined` if nothing needs approval.
 */
export function reviewEffects(
  effects: readonly LayerEffect[],
  call: Call,
  context: CallContext,
): undefined | Promise<EffectReview> {
  if (context.review !== "effects" || call.isApproved) return undefined;
  const rules = rulesFor(call, context);
  if (rules.allowsEveryFile(writeTool, "write")) return undefined;
  const pending = effects.filter(({ path }) => {
    return needsApproval(path, rules, call) && !isChangeDenied(path, context);
  });
  return pending.length === 0 ? undefined : askPerson(pending, call, context);
}

function needsApproval(path: string, rules: Ruleset, { isReviewed }: Call): boolean {
  const { action, decidedBy } = judgeChange(path, rules);
  if (action !== "ask") return false;
  // A command that was allowed in advance is asked about only where the user's own rules want that.
  return isReviewed || (decidedBy !== undefined && decidedBy.scope !== "default");
}

function judgeChange(path: string, rules: Ruleset): ReturnType<Ruleset["judge"]> {
  return rules.judge(writeTool, [{ type: "file", key: path, mode: "write", tree: false }]);
}

async function askPerson(
  pending: readonly LayerEffect[],
  call: Call,
  context: CallContext,
): Promise<EffectReview> {
  const { roots } = context.computer;
  const changes = listEffects(pending, roots);
  const total = listFiles(pending).length;
  const proposed = proposeForEffects(pending, roots);
  const rules = findCovering(proposed, pending, context);
  const asked: Asked = { pending, changes, total, rules, remedy: context.host.remedy };
  if (context.host.headless) return discardAll(asked, "headless", whyHeadless);
  let answer: AskAnswer;
  try {
    call.signal.throwIfAborted();
    if (!call.ended) enterState(call, "blocked-on-user", context);
    const diff = context.secrets.hide(joinDiffs(pending, roots));
    const effects = { changes, total, diff };
    const files = versionsOf(
      pending.filter((one) => !one.isDirectory).map((one) => one.path),
      context,
    );
    const about = { reason: describeQuestion(asked), rules, effects, files };
    answer = await askAbout(call, about, context);
    if (answer.approval !== undefined) {
      call.approval = answer.approval;
      // Changes that a rule denies by now are not applied, whatever the answer is.
      context.rulesChanged();
      const changed = findChanged(files, context);
      if (changed !== undefined) {
        return discardAll(asked, "conflict", `${changed} has changed since the user was asked`);
      }
    }
  } catch (error) {
    if (!ToolError.isInstance(error)) return discardAll(asked, "internal", toErrorMessage(error));
    if (error.code === "headless") return discardAll(asked, "headless", whyHeadless);
    return discardAll(asked, error.code, error.message);
  } finally {
    if (!call.ended) enterState(call, "in-progress", context);
  }
  if (!(await takeAnswer(answer, { call, rules, proposed }, context))) {
    return discardAll(asked, "rejected-by-user", answer.reason ?? whyRejected);
  }
  return answer.paths === undefined ? applyAll : applyChosen(asked, answer.paths, roots);
}

interface Asked {
  readonly pending: readonly LayerEffect[];
  readonly changes: readonly AskedChange[];
  readonly total: number;
  readonly rules: readonly Rule[];
  /** How a person can be asked after all. */
  readonly remedy: string | undefined;
}

const whyHeadless = "they need approval, and this session is not interactive";
const whyRejected = "the user rejected them";
const maxNamed = 20;

/** Returns the rules that an "always" answer stores, or none if they would not allow all of the changes. */
function findCovering(
  proposed: readonly Rule[],
  pending: readonly LayerEffect[],
  context: CallContext,
): readonly Rule[] {
  if (!proposed.every(isStorable)) return [];
  const ruleset = context.rulesWith(proposed, "session");
  return pending.every(({ path }) => judgeChange(path, ruleset).action === "allow") ? proposed : [];
}

const applyAll: EffectReview = { mayApply: () => true, discarded: { changes: [] } };

function applyChosen(
  asked: Asked,
  paths: readonly string[],
  roots: readonly string[],
): EffectReview {
  const chosen = paths.map((path) => (path.startsWith("/") ? path : `${roots[0]}/${path}`));
  const pending = new Set(asked.pending.map(({ path }) => path));
  const mayApply: EffectReview["mayApply"] = ({ path, kind }) =>
    !pending.has(path) ||
    chosen.some(
      (each) =>
        each === path ||
        // A directory stands for what is in it, and what is in it needs the directory.
        (kind !== "mode" && (isInside(each, path) || isInside(path, each))),
    );
  const left = listFiles(asked.pending.filter((effect) => !mayApply(effect)));
  if (left.length === asked.total) return discardAll(asked, "rejected-by-user", whyRejected);
  return { mayApply, discarded: { changes: left.map(({ path, kind }) => ({ path, kind })) } };
}

function discardAll(
  { pending, changes, total, rules, remedy }: Asked,
  code: ErrorCode,
  why: string,
): EffectReview {
  const asked = new Set(pending.map(({ path }) => path));
  const lines = [
    `The command ran, but its changes were discarded: ${why.replace(/\.$/u, "")}. Discarded: ${nameChanges(changes, total)}.`,
  ];
  if (code === "headless" && rules.length > 0) {
    const end = remedy === undefined ? "" : ".";
    const needed = rules.map(formatRule).join("; ");
    lines.push(`To allow them, add the ${rules.length === 1 ? "rule" : "rules"}: ${needed}${end}`);
  }
  if (code === "headless" && remedy !== undefined) lines.push(remedy);
  const text = lines.join(" ");
  return {
    mayApply: ({ path }) => !asked.has(path),
    discarded: {
      changes: listFiles(pending).map(({ path, kind }) => ({ path, kind })),
      error: new ToolError(code, text),
    },
  };
}

function describeQuestion({ changes, total }: Asked): string {
  const what =
    total === 1 ? "a change that no rule allows" : `${total} changes that no rule allows`;
  return `it has run on a layer and waits to apply ${what}: ${nameChanges(changes, total)}`;
}

function nameChanges(changes: readonly AskedChange[], total: number): string {
  const shown = changes.slice(0, maxNamed);
  const names = shown.map(({ path, kind, files }) => {
    const name = toVisibleLine(path);
    return files === undefined ? `${kind} ${name}` : `${kind} ${name}/ (${files} files)`;
  });
  const left = total - shown.reduce((sum, { files = 1 }) => sum + files, 0);
  return [...names, ...(left > 0 ? [`and ${left} more`] : [])].join(", ");
}
