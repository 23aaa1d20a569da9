import { mkdir, opendir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readUntrustedFile } from "@haft/computer/internal";
import type { ProjectTree } from "../git/repositories.ts";
import { Problem } from "../problem.ts";
import { checkPythonEntry, findEntry, type PythonEntry } from "../project/check-entry.ts";
import { pythonEntryScript } from "../project/python-entry-script.ts";
import { toShownName } from "../shown-name.ts";
import { type BuildContext, tellLogEnd } from "./build-context.ts";
import { type BuildOutcome, type BuildSteps, chooseSchema } from "./build-node.ts";
import { installPythonPackages } from "./install-python-packages.ts";
import { loadPythonTool } from "./load-tool.ts";
import { runPythonTests } from "./run-python-tests.ts";

/** Checks a Python project and collects the files that it needs to run. */
export async function buildPython(steps: BuildSteps): Promise<BuildOutcome> {
  const { project, paths, onProgress } = steps;
  const entry = findEntry(project, "python");
  await checkEntry(steps, entry);
  onProgress({ state: "checking", message: "Installing the dependencies" });
  const lockfileDigest = await installPythonPackages(steps);
  onProgress({ state: "checking", message: "Running tests" });
  const module = entry.slice(0, -".py".length).replaceAll("/", ".");
  const tested = steps.runsTests ? runPythonTests(steps) : undefined;
  const made = (async () => {
    const files = await collectFiles(steps);
    const directory = join(paths.install, "tool");
    await writeFiles(directory, files);
    const { exportedSchema } = await loadPythonTool(steps, { directory, module });
    return { files, exportedSchema };
  })();
  const all = await Promise.allSettled([tested, made]);
  const failed = all.find((each) => each.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  onProgress({ state: "building", message: "Collecting the files" });
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
  if (exitCode !== 0)
    throw new Problem(
      400,
      `${entry} could not be parsed. Fix it and publish again.${tellLogEnd(output)}`,
    );
  checkPythonEntry(entry, JSON.parse(output) as PythonEntry);
}

/**
 * Returns the project's files without its tests, and its packages. Sorted, so that builds are
 * reproducible.
 */
async function collectFiles({
  project,
  paths,
  maxArtifactBytes,
}: BuildSteps): Promise<ProjectTree> {
  const files = await collectPackages(paths.packages, maxArtifactBytes);
  for (const [path, bytes] of project) {
    if (!isLeftOut(path) && !/^(?:test|tests)\//u.test(path)) files.set(path, bytes);
  }
  return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
}

const maxPackageFiles = 50_000;

/**
 * Returns the files that pip unpacked. Packages are untrusted: they can contain links or too much.
 */
async function collectPackages(
  packages: string,
  maxBytes: number,
): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const folders = [""];
  let left = maxBytes;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const entry of await opendir(join(packages, folder))) {
      if (files.size + folders.length > maxPackageFiles) {
        throw unfitting("requirements.txt", `installs more than ${maxPackageFiles} files`);
      }
      const path = join(folder, entry.name);
      if (isLeftOut(entry.isDirectory() ? `${path}/` : path)) continue;
      if (entry.isDirectory()) {
        folders.push(path);
        continue;
      }
      const found = readUntrustedFile(join(packages, path), { within: packages, maxBytes: left });
      if (found.bytes === undefined) throw unfitting(path, found.fault);
      left -= found.bytes.length;
      files.set(path, found.bytes);
    }
  }
  return files;
}

function unfitting(path: string, fault: string): Problem {
  return new Problem(
    400,
    `The project's packages can't be included in the tool: ${toShownName(path)} ${fault}. Depend on fewer or other packages.`,
  );
}

// Created again at run time, or only read by people. `direct_url.json` and `RECORD` name paths of
// this server.
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
