import type { ProjectTree } from "../git/repositories.ts";
import { Problem } from "../problem.ts";
import type { ToolManifest } from "./manifest.ts";

/** The parameters of a tool in Python, all of them and in this order. */
const pythonParameters = [
  "tool_input",
  "metadata",
  "config",
  "conversation",
  "send_status_event",
  "user_variables",
] as const;

/** Finds the file that has the tool. Throws a `Problem` 400 that names the file it should be. */
export function findEntry(project: ProjectTree, runtime: ToolManifest["runtime"]): string {
  const [usual, ...others] = entries[runtime];
  const found = [usual, ...others].filter((path) => project.has(path));
  const [entry, second] = found;
  if (entry === undefined) {
    throw new Problem(400, `The project has no ${usual}. Add it with ${entryForm[runtime]}.`);
  }
  if (second !== undefined) {
    throw new Problem(400, `The project has ${entry} and ${second}. Keep one of them.`);
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

/** Refuses a module that does not export `runTool`, by the names that it exports. */
export function requireRunTool(entry: string, exported: readonly string[]): void {
  if (exported.includes("runTool")) return;
  const others = exported.filter((name) => name !== "default").slice(0, 10);
  const what =
    others.length > 0
      ? `exports ${others.join(", ")}, but not runTool`
      : exported.includes("default")
        ? "has a default export, but none that is called runTool"
        : "does not export runTool";
  throw new Problem(400, `${entry} ${what}. Write ${entryForm.node}.`);
}

/** What there is to know of `run_tool`, as `pythonEntryScript` prints it. */
export interface PythonEntry {
  /** Where the file can't be read, and why. */
  readonly syntaxError?: string;
  /** What is called `run_tool` at the top of the file. */
  readonly kind?: "function" | "other";
  readonly parameters?: readonly string[];
  /** Whether it has `*`, `/`, `*args` or `**kwargs`. */
  readonly hasOtherParameters?: boolean;
}

/** Refuses an entry whose `run_tool` is missing or takes other parameters. */
export function checkPythonEntry(entry: string, found: PythonEntry): void {
  const refuse = (sentence: string): never => {
    throw new Problem(400, `${entry}${sentence}`);
  };
  const form = entryForm.python;
  if (found.syntaxError !== undefined) refuse(` can't be read as Python: ${found.syntaxError}.`);
  if (found.kind === undefined) refuse(` has no run_tool. Write ${form}.`);
  if (found.kind !== "function") refuse(`: run_tool is no function. Write ${form}.`);
  const { parameters = [], hasOtherParameters } = found;
  if (!hasOtherParameters && isSame(parameters, pythonParameters)) return;
  if (!hasOtherParameters && isSame(parameters, pythonParameters.slice(0, -1))) {
    refuse(
      `: run_tool takes five parameters, as older tools do. Add user_variables as the sixth: ${form}.`,
    );
  }
  refuse(`: run_tool takes (${parameters.join(", ")}). It has to take exactly six: ${form}.`);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}
