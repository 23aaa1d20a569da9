import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Problem } from "../problem.ts";
import { type BuildContext, tellLogEnd } from "./build-context.ts";

/** What the finished tool says of itself. */
export interface LoadedTool {
  /** The input schema that it exports, if it does. */
  readonly exportedSchema: unknown;
}

interface LoadReport {
  readonly entry: string;
  readonly schema?: unknown;
  readonly error?: string;
}

/** Loads a finished module. Throws a `Problem` 400 if that fails, or `runTool` is no function. */
export async function loadNodeTool(context: BuildContext, path: string): Promise<LoadedTool> {
  const { tools, limits, places } = context;
  const report = join(places.out("load"), "report.json");
  const { output } = await context.run({
    step: "load",
    argv: [tools.node, "--no-warnings", "--input-type=module", "-e", nodeScript, path, report],
    runsProject: true,
    timeoutMs: limits.loadMs,
  });
  return judge(report, { output, name: "runTool" });
}

/** Loads a finished tool in Python, which lies in a directory of its own. */
export async function loadPythonTool(
  context: BuildContext,
  { directory, module }: { readonly directory: string; readonly module: string },
): Promise<LoadedTool> {
  const { tools, limits, places } = context;
  const report = join(places.out("load"), "report.json");
  const { output } = await context.run({
    step: "load",
    argv: [await tools.python(), "-I", "-B", "-c", pythonScript, directory, module, report],
    cwd: directory,
    runsProject: true,
    timeoutMs: limits.loadMs,
  });
  return judge(report, { output, name: "run_tool" });
}

function judge(path: string, { output, name }: { output: string; name: string }): LoadedTool {
  const report = readReport(path);
  if (report === undefined) {
    throw new Problem(
      400,
      `The tool ends the process while it is loaded. Do nothing but define things outside of ${name}.${tellLogEnd(output)}`,
    );
  }
  if (report.error !== undefined) {
    const remedy = /^ModuleNotFoundError/u.test(report.error)
      ? "Add the package to requirements.txt, and what it needs itself (`pip freeze` lists all)"
      : `Mend what runs outside of ${name}`;
    throw new Problem(
      400,
      `The tool can't be loaded: ${report.error.slice(0, 1_000)}. ${remedy}.${tellLogEnd(output)}`,
    );
  }
  if (report.entry !== "function") {
    throw new Problem(400, `${name} is no function, but ${report.entry}. Make it a function.`);
  }
  return { exportedSchema: report.schema };
}

function readReport(path: string): LoadReport | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as LoadReport;
  } catch {
    return undefined;
  }
}

// What the tool prints goes into the log; what it is goes into a file.
const nodeScript = `
import { writeFileSync } from "node:fs";
const [path, report] = process.argv.slice(1);
const { stringify } = JSON;
const exit = process.exit.bind(process);
let found;
try {
  const { runTool, inputSchema } = await import(path);
  found = stringify({ entry: typeof runTool, schema: inputSchema });
} catch (error) {
  found = stringify({ entry: "", error: String(error) });
}
writeFileSync(report, found);
exit(0);
`;

const pythonScript = `
import importlib, json, os, sys
directory, module, report = sys.argv[1:]
sys.path.insert(0, directory)
try:
    tool = importlib.import_module(module)
    entry = getattr(tool, "run_tool", None)
    found = {"entry": "function" if callable(entry) else type(entry).__name__}
    if hasattr(tool, "INPUT_SCHEMA"):
        found["schema"] = tool.INPUT_SCHEMA
    text = json.dumps(found)
except Exception as error:
    text = json.dumps({"entry": "", "error": f"{type(error).__name__}: {error}"})
with open(report, "w", encoding="utf-8") as file:
    file.write(text)
sys.stdout.flush()
os._exit(0)
`;
