import {
  formatRule,
  type Judgement,
  type RuleAction,
  type Session,
  toVisibleLine,
} from "@haft/core";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { openWorkspace, type Workspace } from "../open-workspace.ts";
import type { CommonOptions } from "../options/common-options.ts";
import { readCallArguments } from "../options/read-call-arguments.ts";
import { type CheckRow, readChecks } from "../options/read-checks.ts";
import { printJson } from "../terminal/print-result.ts";
import { UsageError } from "../usage-error.ts";

const exitCodes: Readonly<Record<RuleAction, number>> = { allow: 0, ask: 1, deny: 2 };

/** `haft permissions check`: judges calls and runs nothing. */
export async function checkCalls(
  { positionals: [name, ...words] }: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  if (name === undefined) throw new UsageError("Which call? NAME ARGUMENTS, or - for many.");
  if (name === "-" && words.length === 0) return checkMany(options, io);
  const request = { name, arguments: await readCallArguments(words, io) };
  const workspace = await openWorkspace(options, io, { makesCalls: false });
  const judgement = await workspace.openSession().judge(request);
  await workspace.close();
  if (options.json) printJson(judgement, io);
  else printJudgement(judgement, io);
  return exitCodes[judgement.action];
}

async function checkMany(options: CommonOptions, io: Io): Promise<number> {
  const rows = readChecks(await io.readInput());
  const workspace = await openWorkspace(options, io, { makesCalls: false });
  const judgements = await judgeRows(rows, workspace, options);
  await workspace.close();
  if (options.json || !io.outputIsTerminal) printJson(judgements, io);
  else for (const judgement of judgements) printJudgement(judgement, io);
  return 0;
}

// Compiled rules take room; rows that have rules of their own each must not pile them up.
const mostSessions = 20;

// Rows with the same rules share a session, so that rules are compiled once for all of them.
async function judgeRows(
  rows: readonly CheckRow[],
  workspace: Workspace,
  options: CommonOptions,
): Promise<Judgement[]> {
  const sessions = new Map<string, Session>();
  const judgements: Judgement[] = [];
  for (const { request, rules } of rows) {
    const key = rules.map(formatRule).join("\n");
    const session =
      sessions.get(key) ?? workspace.openSession({ rules: [...options.rules, ...rules] });
    if (sessions.size >= mostSessions) sessions.clear();
    sessions.set(key, session);
    judgements.push(await session.judge(request));
  }
  return judgements;
}

function printJudgement({ action, layer, rule, why }: Judgement, io: Io): void {
  const by = rule === null ? layerTexts[layer] : `${layer} rule "${rule}"`;
  // The rule is named already; what there is to say beyond that stays.
  const more = why.replace(`the ${by}`, "").trim();
  io.out(`${toVisibleLine(`${action.padEnd(5)}  (${by})  ${more}`.trimEnd())}\n`);
}

const layerTexts: Readonly<Record<Judgement["layer"], string>> = {
  arguments: "the call itself",
  available: "the tools there are",
  capability: "capability",
  watchdog: "watchdog",
  manifest: "manifest",
  session: "session",
  project: "project",
  default: "default",
  none: "no rule",
};
