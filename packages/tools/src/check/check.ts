import { defineTool, type Tool, ToolError } from "@haft/contract";
import { type CheckKind, checkKinds } from "./check-kind.ts";
import { checkOutput } from "./check-output.ts";
import { findNearest } from "./find-nearest.ts";
import type { SkippedCheck } from "./found-check.ts";
import { type CheckResult, runCheck } from "./run-check.ts";

/** The arguments of `check`. */
export interface CheckArguments {
  kinds?: CheckKind[];
  path?: string;
}

/** How a project's checks went. */
export interface CheckData {
  passed: boolean;
  message: string;
  /** Where they were run. */
  directory: string;
  checks: CheckResult[];
  skipped?: SkippedCheck[];
}

const mostProblems = 200;

/** Runs a project's own checks. */
export const check: Tool<CheckArguments, CheckData> = defineTool({
  id: "check",
  description: [
    "Runs the project's own checks: type checker, linter and tests, as its scripts and configuration say.",
    "Tells for each whether it passed, and its problems with file, line and message where the program's format is known, 200 at most; else the end of its output.",
    "Use it after changes. To run a single test or something unusual, use bash.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      kinds: {
        type: "array",
        items: { enum: checkKinds },
        minItems: 1,
        description: "Which checks to run; all that there are if left out.",
      },
      path: {
        type: "string",
        minLength: 1,
        description:
          "A directory or file of the project, or of the part of it, to check; the workspace root if left out.",
      },
    },
    additionalProperties: false,
  },
  output: checkOutput,
  requires: {
    fs: { read: ["{workspace}/**"], write: ["{workspace}/**"] },
    net: { hosts: ["{allowed-hosts}"] },
    shell: [{ cmd: "*" }],
  },
  kind: "execute",
  source: "builtin",
  timeoutMs: "none",
  maxOutput: { bytes: 200 * 1024 },
  aliases: [{ name: "Check" }],
  // What a project's scripts touch is not known beforehand.
  execution: { serial: true },
  execute: async ({ kinds = [...checkKinds], path = "." }, runtime) => {
    if (runtime.signal.aborted) throw new ToolError("cancelled", "Checked nothing: aborted.");
    const { directory, found } = await findNearest(path, kinds, runtime);
    const checks: CheckResult[] = [];
    let left = mostProblems;
    for (const [done, each] of found.checks.entries()) {
      runtime.progress({ message: each.command, done, total: found.checks.length });
      const result = await runCheck({ ...each, directory, mostProblems: left }, runtime);
      left -= result.problems.length;
      checks.push(result);
    }
    const data: CheckData = {
      passed: checks.every(({ passed }) => passed),
      message: checks.map(summarise).join(" "),
      directory,
      checks,
    };
    if (found.skipped.length > 0) data.skipped = [...found.skipped];
    return data;
  },
});

function summarise({ kind, command, passed, problems, problem_count }: CheckResult): string {
  const count = problem_count ?? problems.length;
  const found = count === 0 ? "" : ` with ${count === 1 ? "1 problem" : `${count} problems`}`;
  return `${kind} (${command}) ${passed ? "passed" : "failed"}${found}.`;
}
