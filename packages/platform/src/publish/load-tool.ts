import { join } from "node:path";
import { clipText } from "@haft/contract/internal";
import { Problem } from "../problem.ts";
import { type BuildContext, readStepOutput, tellLogEnd } from "./build-context.ts";

/** What a built tool exports. */
export interface LoadedTool {
  /** The exported input schema, if any. */
  readonly exportedSchema: unknown;
}

interface LoadReport {
  readonly entry: string;
  readonly schema?: unknown;
  readonly error?: string;
}

/** Loads a built module. Throws a `Problem` 400 if that fails or `runTool` is not a function. */
export async function loadNodeTool(context: BuildContext, path: string): Promise<LoadedTool> {
  const { tools, limits, paths } = context;
  const report = join(paths.out("load"), reportName);
  const { output } = await context.run({
    step: "load",
    argv: [tools.node, "--no-warnings", "--input-type=module", "-e", nodeScript, path, report],
    runsProject: true,
    timeoutMs: limits.loadMs,
  });
  return judge(context, { output, name: "runTool" });
}

/** Loads a built Python tool from its directory. */
export async function loadPythonTool(
  context: BuildContext,
  { directory, module }: { readonly directory: string; readonly module: string },
): Promise<LoadedTool> {
  const { tools, limits, paths } = context;
  const report = join(paths.out("load"), reportName);
  const { output } = await context.run({
    step: "load",
    argv: [await tools.python(), "-I", "-B", "-c", pythonScript, directory, module, report],
    cwd: directory,
    runsProject: true,
    timeoutMs: limits.loadMs,
  });
  return judge(context, { output, name: "run_tool" });
}

const reportName = "report.json";
const maxReportBytes = 4 * 1024 * 1024;

function judge(
  context: BuildContext,
  { output, name }: { output: string; name: string },
): LoadedTool {
  const report = readReport(context);
  if (report === undefined) {
    throw new Problem(
      400,
      `The tool exits while it is being loaded. Outside ${name}, only define things.${tellLogEnd(output)}`,
    );
  }
  if (report.error !== undefined) {
    const remedy = /^ModuleNotFoundError/u.test(report.error)
      ? "Add the package and its own dependencies to requirements.txt (`pip freeze` lists them)"
      : `Fix the code that runs outside ${name}`;
    throw new Problem(
      400,
      `The tool could not be loaded: ${clipText(report.error, 1_000)}. ${remedy}.${tellLogEnd(output)}`,
    );
  }
  if (report.entry !== "function") {
    throw new Problem(
      400,
      `${name} is not a function, but ${clipText(report.entry, 100)}. Make it a function.`,
    );
  }
  return { exportedSchema: report.schema };
}

// The tool can write the report too, so it may contain anything.
function readReport(context: BuildContext): LoadReport | undefined {
  const text = readStepOutput(context, "load", { name: reportName, maxBytes: maxReportBytes });
  try {
    const { entry, error, schema } = JSON.parse(text ?? "") as Record<string, unknown>;
    return {
      entry: String(entry),
      ...(error !== undefined && { error: String(error) }),
      ...(schema !== undefined && { schema }),
    };
  } catch {
    return undefined;
  }
}

// The tool's output goes into the log, so the report goes into a file.
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
