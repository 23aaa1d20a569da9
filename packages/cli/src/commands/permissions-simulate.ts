import { existsSync } from "node:fs";
import type { SqliteRecorder } from "@haft/computer";
import { listSessions, stateDirectory } from "@haft/computer/internal";
import type { Rule } from "@haft/core";
import { formatRule, toVisibleLine } from "@haft/core/internal";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { openRecorder } from "../open-recorder.ts";
import { openComputer, openWorkspace, type Workspace } from "../open-workspace.ts";
import { type CommonOptions, readRule } from "../options/common-options.ts";
import { readCount } from "../options/read-count.ts";
import { readMilliseconds } from "../options/read-duration.ts";
import {
  createSimulation,
  type NotJudged,
  type SimulatedChange,
  type SimulatedSessions,
  type Simulation,
  simulateRules,
} from "../options/simulate-rule.ts";
import { printJson } from "../terminal/print-result.ts";
import { UsageError } from "../usage-error.ts";

const defaultLimit = 50;

/** `haft permissions simulate`: what a rule would have changed for recorded calls. */
export async function simulate(
  input: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const rule = readRule(input.positionals.join(" "), "The rule");
  const limit = readCount(input, "limit") ?? defaultLimit;
  const period = readMilliseconds(input, "since");
  const since = period === undefined ? Number.NEGATIVE_INFINITY : Date.now() - period;
  const recorder = await openRecorder(io);
  try {
    const sessions = findSessions(input, options, { recorder, since, io });
    const found = { sessions, recorder, since };
    const simulation = await simulateSessions([rule], found, { options, io });
    const told = summarizeSimulation([rule], simulation, limit);
    report(told, { isEverywhere: input.options.all === true, options, io });
  } finally {
    await recorder.close();
  }
  return 0;
}

/** Recorded sessions of several workspaces. */
export interface RecordedSessions extends Omit<SimulatedSessions, "ids"> {
  /** The IDs of the sessions, by the root of their workspace. */
  readonly sessions: ReadonlyMap<string, readonly string[]>;
}

/** Judges the recorded calls of sessions with and without rules. */
export async function simulateSessions(
  rules: readonly Rule[],
  { sessions, ...recorded }: RecordedSessions,
  { options, io }: { readonly options: CommonOptions; readonly io: Io },
): Promise<Simulation> {
  const simulation = createSimulation();
  for (const [root, ids] of sessions) {
    if (!existsSync(root)) {
      countGone({ ids, ...recorded }, simulation);
      continue;
    }
    const here = { ...options, workspace: root, session: "default" };
    const workspace = await openWorkspace(here, io, { makesCalls: false });
    try {
      await requireValid(rules, workspace);
      await simulateRules(rules, { ids, ...recorded }, { workspace, simulation });
    } finally {
      await workspace.close();
    }
  }
  return simulation;
}

/** What a rule would have changed, with the latest calls as examples. */
export interface SimulationSummary extends Omit<Simulation, "changes" | "notJudged"> {
  readonly rule: string;
  readonly changed: number;
  readonly totals: readonly KindCount[];
  readonly changes: readonly SimulatedChange[];
  /** The number of changes that are not listed. */
  readonly omitted: number;
  readonly not_judged: Simulation["notJudged"];
}

/** Sums up a simulation, with at most `limit` examples. */
export function summarizeSimulation(
  rules: readonly Rule[],
  { sessions, calls, changes, notJudged }: Simulation,
  limit: number,
): SimulationSummary {
  const latest = changes.toSorted((a, b) => (a.time < b.time ? 1 : -1)).slice(0, limit);
  const omitted = changes.length - latest.length;
  const counts = { changed: changes.length, totals: countKinds(changes) };
  const listed = { changes: latest, omitted, not_judged: notJudged };
  return { rule: rules.map(formatRule).join("\n"), sessions, calls, ...counts, ...listed };
}

interface Selection {
  readonly recorder: SqliteRecorder;
  readonly since: number;
  readonly io: Io;
}

/** Returns the IDs of the sessions to simulate by workspace. */
function findSessions(
  { options: given }: CommandInput,
  options: CommonOptions,
  { recorder, since, io }: Selection,
): ReadonlyMap<string, readonly string[]> {
  const computer = openComputer(options, io);
  const [root = ""] = computer.roots;
  const wanted = computer.openSession(options.session).id;
  const prefix = wanted.slice(0, wanted.lastIndexOf("/") + 1);
  const recorded = recorder.sessions();
  const recent = recorded.filter(({ lastAt }) => lastAt >= since).map(({ session }) => session);
  if (given.session !== undefined) {
    if (given.all === true) throw new UsageError("Give either --session or --all.");
    if (!recorded.some(({ session }) => session === wanted)) {
      throw new UsageError(
        `No calls of a session ${JSON.stringify(options.session)} are recorded here. To list all sessions: haft sessions list`,
      );
    }
    return new Map([[root, recent.filter((id) => id === wanted)]]);
  }
  if (given.all !== true) return new Map([[root, recent.filter((id) => id.startsWith(prefix))]]);
  const workspaces = new Map(
    listSessions(stateDirectory(io.environment)).map(({ id, workspace }) => [id, workspace]),
  );
  const rootOf = (id: string): string =>
    workspaces.get(id) ?? (id.startsWith(prefix) ? root : unknownWorkspace);
  return Map.groupBy(recent, rootOf);
}

// A session whose directory was removed: nothing says which workspace it belonged to.
const unknownWorkspace = "";

function countGone({ ids, recorder, since }: SimulatedSessions, simulation: Simulation): void {
  for (const id of ids) {
    const calls = [...recorder.list(id)].filter(({ startedAt }) => startedAt >= since).length;
    simulation.sessions++;
    simulation.calls += calls;
    simulation.notJudged.unavailable += calls;
  }
}

/**
 * Throws a `UsageError` for a rule whose pattern does not compile: a mistake of the person, not of a call. A stored
 * one would make every call fail.
 */
export async function requireValid(rules: readonly Rule[], workspace: Workspace): Promise<void> {
  for (const rule of rules) {
    try {
      await workspace
        .openSession({ rules: [rule], watchdog: "off" })
        .judge({ name: "read", arguments: { path: "." } });
    } catch (error) {
      throw new UsageError(`${formatRule(rule)}: ${(error as Error).message}`);
    }
  }
}

interface Report {
  readonly isEverywhere: boolean;
  readonly options: CommonOptions;
  readonly io: Io;
}

function report(told: SimulationSummary, { options, io, isEverywhere }: Report): void {
  const { sessions, calls, changes: latest, changed, totals, omitted } = told;
  if (options.json) {
    printJson(told, io);
    return;
  }
  if (calls === 0) {
    io.out("No calls are recorded for these sessions and this period.\n");
    return;
  }
  for (const { session, time, call, before, after } of latest) {
    const name = isEverywhere ? session : session.slice(session.lastIndexOf("/") + 1);
    const verdicts = `${before} → ${after}`.padEnd(13);
    io.out(`${toVisibleLine(`${time}  ${name}  ${verdicts}  ${call}`)}\n`);
  }
  if (omitted > 0) io.out(`… and ${countCalls(omitted)} more. To list more: --limit N\n`);
  const of = `${countCalls(calls)} in ${sessions === 1 ? "1 session" : `${sessions} sessions`}`;
  const kinds = totals.map(({ before, after, count }) => `${count} ${before} → ${after}`);
  io.out(
    changed === 0
      ? `The rule would have changed the verdict on none of ${of}.\n`
      : `The rule would have changed the verdict on ${changed} of ${of}: ${kinds.join(", ")}.\n`,
  );
  printNotJudged(told.not_judged, io);
}

/** How many verdicts would have changed in one way. */
export interface KindCount extends Pick<SimulatedChange, "before" | "after"> {
  readonly count: number;
}

function countKinds(changes: readonly SimulatedChange[]): KindCount[] {
  const kinds = Map.groupBy(changes, ({ before, after }) => `${before} ${after}`);
  return Array.from(kinds.values(), (alike) => {
    const { before, after } = alike[0] as SimulatedChange;
    return { before, after, count: alike.length };
  }).sort((a, b) => b.count - a.count);
}

const reasons: Readonly<Record<NotJudged, string>> = {
  masked: "with masked secrets",
  incomplete: "with incomplete arguments",
  unavailable: "whose workspace, tool or arguments are not valid now",
};

function printNotJudged(notJudged: Simulation["notJudged"], io: Io): void {
  const counts = Object.entries(notJudged).filter(([, count]) => count > 0);
  if (counts.length === 0) return;
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const parts = counts.map(([reason, count]) => `${count} ${reasons[reason as NotJudged]}`);
  io.out(`${countCalls(total)} can't be judged: ${parts.join(", ")}.\n`);
}

function countCalls(count: number): string {
  return count === 1 ? "1 call" : `${count} calls`;
}
