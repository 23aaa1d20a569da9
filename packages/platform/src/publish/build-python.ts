import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { ProjectTree } from "../git/repositories.ts";
import { Problem } from "../problem.ts";
import { checkPythonEntry, findEntry, type PythonEntry } from "../project/check-entry.ts";
import { pythonEntryScript } from "../project/python-entry-script.ts";
import { type BuildContext, tellLogEnd } from "./build-context.ts";
import { type BuildOutcome, type BuildSteps, chooseSchema } from "./build-node.ts";
import { installPythonPackages } from "./install-python-packages.ts";
import { loadPythonTool } from "./load-tool.ts";
import { runPythonTests } from "./run-python-tests.ts";

/** Checks a project of Python and collects the files that it needs to run. */
export async function buildPython(steps: BuildSteps): Promise<BuildOutcome> {
  const { project, places, onProgress } = steps;
  const entry = findEntry(project, "python");
  await checkEntry(steps, entry);
  onProgress({ state: "checking", message: "Installing what the project depends on" });
  const lockfileDigest = await installPythonPackages(steps);
  onProgress({ state: "checking", message: "Running tests" });
  const module = entry.slice(0, -".py".length).replaceAll("/", ".");
  const tested = runPythonTests(steps);
  const made = (async () => {
    const files = await collectFiles(project, places.packages);
    const directory = join(places.install, "tool");
    await writeFiles(directory, files);
    const { exportedSchema } = await loadPythonTool(steps, { directory, module });
    return { files, exportedSchema };
  })();
  const all = await Promise.allSettled([tested, made]);
  const failed = all.find((each) => each.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  onProgress({ state: "building", message: "Collecting its files" });
  const { files, exportedSchema } = await made;
  const encoded = [...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString("base64")]);
  return {
    artifact: { runtime: "python", module, files: Object.fromEntries(encoded) },
    inputSchema: chooseSchema(steps, exportedSchema, `${entry}: INPUT_SCHEMA`),
    lockfileDigest,
  };
}

async function checkEntry(context: BuildContext, entry: string): Promise<void> {
  const { tools, limits } = context;
  const { exitCode, output } = await context.run({
    step: "entry",
    argv: [await tools.python(), "-I", "-B", "-c", pythonEntryScript, entry],
    runsProject: false,
    isQuiet: true,
    timeoutMs: limits.loadMs,
  });
  if (exitCode !== 0) throw new Problem(400, `${entry} can't be read.${tellLogEnd(output)}`);
  checkPythonEntry(entry, JSON.parse(output) as PythonEntry);
}

/** The project without its tests, and its packages beside it; sorted, so that they are always the same. */
async function collectFiles(project: ProjectTree, packages: string): Promise<ProjectTree> {
  const files = new Map<string, Uint8Array>();
  const entries = await readdir(packages, { recursive: true, withFileTypes: true });
  for (const each of entries) {
    const path = relative(packages, join(each.parentPath, each.name));
    if (!each.isFile() || isLeftOut(path)) continue;
    files.set(path, await readFile(join(packages, path)));
  }
  for (const [path, bytes] of project) {
    if (!isLeftOut(path) && !/^(?:test|tests)\//u.test(path)) files.set(path, bytes);
  }
  return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
}

// Made anew where it runs, or used by people only. `direct_url.json` and `RECORD` tell of this machine.
function isLeftOut(path: string): boolean {
  return (
    /(?:^|\/)__pycache__\/|\.pyc$|^bin\//u.test(path) ||
    /\.dist-info\/(?:RECORD|REQUESTED|INSTALLER|direct_url\.json)$/u.test(path) ||
    /^(?:\.gitignore|README\.md|requirements\.txt)$/u.test(path)
  );
}

async function writeFiles(directory: string, files: ProjectTree): Promise<void> {
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), bytes);
  }
}
