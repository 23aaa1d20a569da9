import type { Judgement, RuleAction, Session } from "@haft/core";
import { formatRule, toVisibleLine } from "@haft/core/internal";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { openWorkspace, type Workspace } from "../open-workspace.ts";
import type { CommonOptions } from "../options/common-options.ts";
import { readCallArguments } from "../options/read-call-arguments.ts";
import { type CheckRow, readChecks } from "../options/read-checks.ts";
import { printJson } from "../terminal/print-result.ts";

const exitCodes: Readonly<Record<RuleAction, number>> = { allow: 0, ask: 1, deny: 2 };

/** `haft permissions check`: judges calls and runs nothing. */
export async function checkCalls(
  { positionals: [name = "", ...words] }: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
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

// Compiled rules take memory, so rows with rules of their own must not accumulate sessions.
const maxSessions = 20;

// Rows with the same rules share a session, so that the rules are compiled once.
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
    if (sessions.size >= maxSessions) sessions.clear();
    sessions.set(key, session);
    judgements.push(await session.judge(request));
  }
  return judgements;
}

function printJudgement(judgement: Judgement, io: Io): void {
  const { action, stage, rule, why, remedy, unchecked } = judgement;
  const by = rule === null ? stageTexts[stage] : `${stage} rule "${rule}"`;
  // The rule is already named; keep the rest of the reason.
  const more = why.replace(`the ${by}`, "").trim();
  const notes = unchecked.map((unknown) => `Known only when the call runs: ${unknown}.`);
  const lines = [
    `${action.padEnd(5)}  (${by})  ${more}`.trimEnd(),
    ...[...(remedy === null ? [] : [remedy]), ...notes].map((line) => `       ${line}`),
  ];
  for (const line of lines) io.out(`${toVisibleLine(line)}\n`);
}

const stageTexts: Readonly<Record<Judgement["stage"], string>> = {
  arguments: "the call itself",
  available: "the available tools",
  capability: "capability",
  watchdog: "watchdog",
  record: "the record of calls",
  files: "file access",
  network: "network access",
  shell: "command execution",
  review: "review of effects",
  manifest: "manifest",
  session: "session",
  project: "project",
  default: "default",
  none: "no rule",
};
