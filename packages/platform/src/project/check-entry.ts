import type { ProjectTree } from "../git/repositories.ts";
import { Problem } from "../problem.ts";
import type { ToolManifest } from "./manifest.ts";

/** The parameters of a Python tool, in order. */
const pythonParameters = [
  "tool_input",
  "metadata",
  "config",
  "conversation",
  "send_status_event",
  "user_variables",
] as const;

/** Finds the tool's entry file. Throws a `Problem` 400 that names the expected file. */
export function findEntry(project: ProjectTree, runtime: ToolManifest["runtime"]): string {
  const [usual, ...others] = entries[runtime];
  const found = [usual, ...others].filter((path) => project.has(path));
  const [entry, second] = found;
  if (entry === undefined) {
    throw new Problem(400, `The project has no ${usual}. Add it with ${entryForm[runtime]}.`);
  }
  if (second !== undefined) {
    throw new Problem(400, `The project has both ${entry} and ${second}. Remove one of them.`);
  }
  return entry;
}

const entries = {
  node: ["src/tool.ts", "src/tool.mts", "src/tool.js", "src/tool.mjs"],
  python: ["src/tool.py"],
} as const;

const entryForm = {
  node: "`export async function runTool({ toolInput, metadata, config, conversation, sendStatusEvent, userVariables })`",
  python: `\`async def run_tool(${pythonParameters.join(", ")})\``,
} as const;

/** Throws a `Problem` 400 if the exported names don't include `runTool`. */
export function requireRunTool(entry: string, exported: readonly string[]): void {
  if (exported.includes("runTool")) return;
  const others = exported.filter((name) => name !== "default").slice(0, 10);
  const what =
    others.length > 0
      ? `exports ${others.join(", ")}, but not runTool`
      : exported.includes("default")
        ? "has a default export, but does not export runTool"
        : "does not export runTool";
  throw new Problem(400, `${entry} ${what}. Write ${entryForm.node}.`);
}

/** A description of `run_tool`, as `pythonEntryScript` prints it. */
export interface PythonEntry {
  /** Why and where the file can't be parsed. */
  readonly syntaxError?: string;
  /** What the top-level name `run_tool` is. */
  readonly kind?: "function" | "other";
  readonly parameters?: readonly string[];
  /** Whether it has `*`, `/`, `*args` or `**kwargs`. */
  readonly hasOtherParameters?: boolean;
}

/** Throws a `Problem` 400 if `run_tool` is missing or has other parameters. */
export function checkPythonEntry(entry: string, found: PythonEntry): void {
  const refuse = (sentence: string): never => {
    throw new Problem(400, `${entry}${sentence}`);
  };
  const form = entryForm.python;
  if (found.syntaxError !== undefined)
    refuse(` is not valid Python: ${found.syntaxError}. Fix the syntax and publish again.`);
  if (found.kind === undefined) refuse(` has no run_tool. Add ${form}.`);
  if (found.kind !== "function") refuse(`: run_tool is not a function. Define ${form}.`);
  const { parameters = [], hasOtherParameters } = found;
  if (!hasOtherParameters && isSame(parameters, pythonParameters)) return;
  if (!hasOtherParameters && isSame(parameters, pythonParameters.slice(0, -1))) {
    refuse(
      `: run_tool has five parameters, as in older tools. Add user_variables as the sixth: ${form}.`,
    );
  }
  refuse(
    `: run_tool has the parameters (${parameters.join(", ")}). Use exactly these six: ${form}.`,
  );
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}
