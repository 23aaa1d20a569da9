import { hash } from "node:crypto";
import { clipText, enterTimeSlice } from "@haft/contract/internal";
import type { CallRecord, ComparedVerdicts, Recorder, Rule, RuleAction, Session } from "@haft/core";
import { formatRule, holdsPlaceholder } from "@haft/core/internal";
import type { Workspace } from "../open-workspace.ts";
import { dialects } from "./common-options.ts";

/** A recorded call whose verdict a rule changes. */
export interface SimulatedChange {
  /** The session's ID. */
  readonly session: string;
  readonly call_id: string;
  /** ISO 8601. */
  readonly time: string;
  readonly tool: string;
  /** The call in one line, clipped. */
  readonly call: string;
  readonly before: RuleAction;
  readonly after: RuleAction;
}

/** Why a recorded call can't be judged. */
export type NotJudged = "masked" | "incomplete" | "unavailable";

/** What a rule would have changed. It grows while sessions are simulated. */
export interface Simulation {
  sessions: number;
  calls: number;
  readonly changes: SimulatedChange[];
  readonly notJudged: Record<NotJudged, number>;
}

/** Creates a simulation of no calls. */
export function createSimulation(): Simulation {
  const notJudged = { masked: 0, incomplete: 0, unavailable: 0 };
  return { sessions: 0, calls: 0, changes: [], notJudged };
}

/** The recorded sessions of a workspace to simulate, by ID. */
export interface SimulatedSessions {
  readonly ids: readonly string[];
  readonly recorder: Pick<Recorder, "list">;
  /** Start of the period, in milliseconds since the epoch. */
  readonly since: number;
  /** Stops the simulation. Default: it is not stopped. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each call. */
  onCall?(simulation: Simulation): void;
}

/** Judges the recorded calls of a workspace with and without rules, and adds them to a simulation. */
export async function simulateRules(
  rules: readonly Rule[],
  { ids, recorder, since, signal, onCall }: SimulatedSessions,
  { workspace, simulation }: { readonly workspace: Workspace; readonly simulation: Simulation },
): Promise<void> {
  const judge = createJudge(rules, workspace);
  for (const id of ids) {
    const callsBefore = simulation.calls;
    for (const row of recorder.list(id)) {
      // In a server, other requests go on meanwhile.
      await enterTimeSlice();
      signal?.throwIfAborted();
      if (row.startedAt < since) continue;
      simulation.calls++;
      const outcome = findObstacle(row) ?? (await judge(row));
      if (typeof outcome === "object") simulation.changes.push(describe(row, outcome));
      else if (outcome !== "same") simulation.notJudged[outcome]++;
      onCall?.(simulation);
    }
    if (simulation.calls > callsBefore) simulation.sessions++;
  }
}

interface Verdicts {
  readonly before: RuleAction;
  readonly after: RuleAction;
}

type Outcome = Verdicts | NotJudged | "same";

// Part of the arguments is not in the record, and the verdict may depend on it.
function findObstacle({ arguments: args }: CallRecord): NotJudged | undefined {
  // No call is recorded with null: it stands for arguments that could not be written as JSON.
  if (args === null) return "incomplete";
  return holdsPlaceholder(args) ? "masked" : undefined;
}

/** Returns a function that judges recorded calls. Equal calls under equal rules are judged once. */
function createJudge(
  rules: readonly Rule[],
  workspace: Workspace,
): (row: CallRecord) => Promise<Outcome> {
  const comparisons = new Map<string, ReturnType<Session["compare"]>>();
  const known = new Map<string, Outcome>();
  const rulesOf = new Map<string, string>();
  return async ({ session, dialect: dialectName, name, arguments: args }) => {
    const dialect = dialects.find((one) => one.name === dialectName);
    if (dialect === undefined) return "unavailable";
    const sessionName = session.slice(session.lastIndexOf("/") + 1);
    const stored = rulesOf.get(session) ?? listStored(sessionName, workspace);
    rulesOf.set(session, stored);
    const place = `${dialectName}\n${stored}`;
    const key = hash("sha256", JSON.stringify([place, name, args]));
    const judged = known.get(key);
    if (judged !== undefined) return judged;
    const compare =
      comparisons.get(place) ??
      workspace.openSession({ name: sessionName, dialect, watchdog: "off" }).compare(rules);
    comparisons.set(place, compare);
    const outcome = toOutcome(await compare({ name, arguments: args }));
    known.set(key, outcome);
    return outcome;
  };
}

function listStored(session: string, { computer }: Workspace): string {
  return computer.openSession(session).rules.list("session").map(formatRule).join("\n");
}

function toOutcome(compared: ComparedVerdicts | undefined): Outcome {
  if (compared === undefined) return "same";
  const { before, after } = compared;
  if (before.stage === "arguments" || before.stage === "available") return "unavailable";
  return before.action === after.action ? "same" : { before: before.action, after: after.action };
}

const maxCallLength = 120;

function describe(row: CallRecord, { before, after }: Verdicts): SimulatedChange {
  const { session, callId, name, arguments: args, startedAt } = row;
  const text = typeof args === "string" ? args : JSON.stringify(args);
  return {
    session,
    call_id: callId,
    time: new Date(startedAt).toISOString(),
    tool: row.tool ?? name,
    call: clipText(`${name} ${text}`, maxCallLength),
    before,
    after,
  };
}
