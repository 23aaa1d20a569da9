import type { Runtime } from "@haft/contract";
import { utf8Tail } from "@haft/contract/internal";
import { joinOutput } from "../bash/join-output.ts";
import { reportOutput } from "../bash/report-output.ts";
import { rethrowPlain } from "../bash/rethrow-plain.ts";
import type { CheckKind } from "./check-kind.ts";
import type { FoundCheck } from "./found-check.ts";
import { locateProblems } from "./locate-problems.ts";
import { parseProblems } from "./parse-problems.ts";
import type { Problem } from "./problem.ts";

/** The result of one check. */
export interface CheckResult {
  kind: CheckKind;
  command: string;
  passed: boolean;
  /** `null` if a signal ended it. */
  exit_code: number | null;
  signal?: string;
  problems: Problem[];
  /** The total number of problems, if not all are listed. */
  problem_count?: number;
  /** The end of its output. */
  output: string;
  /** Remarks, such as changes that were discarded. */
  notes?: string[];
}

/** A check to run, and the maximum number of problems to report. */
export interface CheckRun extends FoundCheck {
  readonly directory: string;
  readonly maxProblems: number;
}

const kept = { head: 256 * 1024, tail: 256 * 1024 };
const shownBytes = { passed: 1_000, failed: 8_000 };

/** Runs a check. */
export async function runCheck(check: CheckRun, runtime: Runtime): Promise<CheckResult> {
  const { kind, command, directory, maxProblems } = check;
  const { fs, shell, session, progress } = runtime;
  const result = await shell
    .execute({
      ...{ command, cwd: directory, keep: kept, onOutput: reportOutput(progress) },
      applies: "untracked",
    })
    .catch(rethrowPlain);
  const passed = result.exitCode === 0;
  const output = joinOutput(result.output, kept);
  const all = parseProblems(output, { passed });
  const place = { directory, roots: session.roots };
  const data: CheckResult = {
    kind,
    command,
    passed,
    exit_code: result.exitCode ?? null,
    problems: await locateProblems(all.slice(0, maxProblems), place, fs),
    output: utf8Tail(output.trim(), passed ? shownBytes.passed : shownBytes.failed),
  };
  if (result.signal !== undefined) data.signal = result.signal;
  if (result.notes.length > 0) data.notes = [...result.notes];
  if (all.length > maxProblems) data.problem_count = all.length;
  return data;
}
