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

/** The result of `check`. */
export interface CheckData {
  passed: boolean;
  message: string;
  /** The directory in which the checks ran. */
  directory: string;
  checks: CheckResult[];
  skipped?: SkippedCheck[];
}

const maxProblems = 200;

/**
 * The `check` tool: runs the project's own type checker, linter and tests.
 *
 * @example
 * ```ts
 * import { check, edit } from "@haft/tools";
 *
 * const tools = [edit, check];
 * ```
 */
export const check: Tool<CheckArguments, CheckData> = defineTool({
  id: "check",
  description: [
    "Runs the project's own type checker, linter and tests.",
    "Returns for each whether it passed, and up to 200 problems with file, line and message.",
    "For a single test, use `bash`.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      kinds: {
        type: "array",
        items: { enum: checkKinds },
        minItems: 1,
        description: "Default: all that exist.",
      },
      path: {
        type: "string",
        minLength: 1,
        description: "Directory or file. Default: the workspace.",
      },
    },
    additionalProperties: false,
  },
  output: checkOutput,
  requires: {
    fs: { read: ["{workspace}/**", "{repository}/**"], write: ["{workspace}/**"] },
    net: { hosts: ["{allowed-hosts}"] },
    shell: [{ cmd: "*" }],
  },
  kind: "execute",
  source: "builtin",
  timeoutMs: "none",
  maxOutput: { bytes: 200 * 1024 },
  aliases: [{ name: "Check" }],
  // What a project's scripts change is not known in advance.
  execution: { serial: true },
  execute: async ({ kinds = [...checkKinds], path = "." }, runtime) => {
    if (runtime.signal.aborted) throw new ToolError("cancelled", "Cancelled: nothing was checked.");
    const { directory, found } = await findNearest(path, kinds, runtime);
    const checks: CheckResult[] = [];
    let left = maxProblems;
    for (const [done, each] of found.checks.entries()) {
      runtime.progress({ message: each.command, done, total: found.checks.length });
      const result = await runCheck({ ...each, directory, maxProblems: left }, runtime);
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
