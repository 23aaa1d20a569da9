import type { SimulationReport } from "../api/machine.ts";
import type { Simulation } from "../api/use-simulation.ts";
import { ProblemNote } from "./notes.tsx";
import { showLine } from "./show.ts";
import { Table } from "./table.tsx";
import { Time } from "./time.tsx";
import { Verdict } from "./verdict.tsx";

/** What a simulation has found so far: progress, then counts and examples. */
export function SimulationView({ simulation }: { simulation: Simulation }) {
  const { isRunning, progress, report, problem, stop } = simulation;
  if (problem !== undefined) return <ProblemNote text={problem} />;
  if (report !== undefined) return <Report report={report} />;
  const { calls = 0, of = 0, changed = 0 } = progress ?? {};
  if (!isRunning) {
    return progress === undefined ? null : (
      <p role="status">
        Stopped after {count(calls)}. Of these, {changed.toLocaleString("en")} would have had
        another verdict.
      </p>
    );
  }
  return (
    <div class="simulation-progress">
      <progress max={Math.max(of, 1)} value={calls} aria-label="Calls judged" />
      <span role="status">
        {calls.toLocaleString("en")} of {count(of)}, {changed.toLocaleString("en")} would change
      </span>
      <button type="button" class="small" onClick={stop}>
        Stop
      </button>
    </div>
  );
}

const reasons = {
  masked: "with masked secrets",
  incomplete: "with incomplete arguments",
  unavailable: "whose workspace, tool or arguments are not valid now",
} as const;

function Report({ report }: { report: SimulationReport }) {
  const { calls, sessions, changed, totals, changes, omitted, not_judged: skipped } = report;
  if (calls === 0) return <p role="status">No calls are recorded for this time.</p>;
  const notJudged = (Object.keys(reasons) as (keyof typeof reasons)[]).filter(
    (name) => skipped[name] > 0,
  );
  return (
    <div class="simulation">
      <p role="status">
        Another verdict on <strong>{changed.toLocaleString("en")}</strong> of {count(calls)} in{" "}
        {sessions === 1 ? "1 session" : `${sessions.toLocaleString("en")} sessions`}.
      </p>
      {totals.length > 0 && (
        <ul class="verdict-counts">
          {totals.map(({ before, after, count: number }) => (
            <li key={`${before} ${after}`}>
              <strong>{number.toLocaleString("en")}</strong> <Verdict action={before} /> →{" "}
              <Verdict action={after} />
            </li>
          ))}
        </ul>
      )}
      {changes.length > 0 && (
        <Table
          rows={changes}
          keyOf={({ session, call_id, time }) => `${session} ${call_id} ${time}`}
          columns={[
            { title: "When", class: "quiet nowrap", cell: ({ time }) => <Time at={time} /> },
            {
              title: "Verdict",
              class: "nowrap",
              cell: ({ before, after }) => (
                <>
                  <Verdict action={before} /> → <Verdict action={after} />
                </>
              ),
            },
            {
              title: "Call",
              class: "reason",
              cell: ({ call }) => <code>{showLine(call, 200)}</code>,
            },
          ]}
        />
      )}
      {omitted > 0 && <p class="quiet">The latest {changes.length} are shown.</p>}
      {notJudged.length > 0 && (
        <p class="quiet">
          Can't be judged: {notJudged.map((name) => `${skipped[name]} ${reasons[name]}`).join(", ")}
          .
        </p>
      )}
    </div>
  );
}

function count(calls: number): string {
  return calls === 1 ? "1 call" : `${calls.toLocaleString("en")} calls`;
}
