import { mkdirSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import type { ProjectTree } from "../git/repositories.ts";
import type { PlatformSettings } from "../platform-settings.ts";
import { Problem } from "../problem.ts";
import { readManifest } from "../project/read-manifest.ts";
import { packArtifact } from "../runner/artifact.ts";
import { toShownName } from "../shown-name.ts";
import { createBoundedLog } from "./bounded-log.ts";
import { type BuildContext, buildPathsIn, createStepRunner } from "./build-context.ts";
import { type BuildLimits, defaultBuildLimits } from "./build-limits.ts";
import { buildNode } from "./build-node.ts";
import { buildPython } from "./build-python.ts";
import { createBuildSlots } from "./build-slots.ts";
import { type BuildTools, findBuildTools } from "./build-tools.ts";
import type { Builder, BuiltTool } from "./builder.ts";
import type { BuildComputer } from "./run-in-sandbox.ts";

/** Options of a builder. */
export interface BuilderOptions {
  readonly settings: Pick<
    PlatformSettings,
    "privateHosts" | "runner" | "maxProjectBytes" | "maxArtifactBytes"
  >;
  /** The directory for builds and their download caches. */
  readonly directory: string;
  readonly limits?: Partial<BuildLimits>;
  readonly tools?: BuildTools;
  /** Whether a project's tests have to pass. Default: true. */
  readonly runsTests?: boolean;
  /** Opens the computer that runs programs. Default: this machine's sandbox. */
  openComputer?(workspace: string): BuildComputer;
}

const maxLogBytes = 500_000;

/** Creates a builder. Code of a project runs in the sandbox only. */
export function createBuilder(options: BuilderOptions): Builder {
  const { settings, directory, runsTests = true } = options;
  const limits = { ...defaultBuildLimits, ...options.limits };
  const tools = options.tools ?? findBuildTools();
  const slots = createBuildSlots(join(directory, "builds"), limits.maxConcurrent);
  const caches = join(directory, "caches");
  mkdirSync(caches, { recursive: true, mode: 0o700 });
  const openComputer =
    options.openComputer ??
    ((workspace: string) =>
      createDiskComputer({
        workspace,
        stateDirectory: join(directory, "state"),
        sandbox: "required",
        isBare: true,
      }));
  const computers = new Map<string, BuildComputer>();
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();

  const build: Builder["build"] = async (project, { organization, onProgress, onLog, signal }) => {
    const manifest = readManifest(project, settings);
    requireFitting(project, settings.maxProjectBytes);
    const either = AbortSignal.any([closing.signal, ...(signal === undefined ? [] : [signal])]);
    const visible = await tools.pathsFor(manifest.runtime);
    const slot = await slots.take(either);
    const computer = computers.get(slot.directory) ?? openComputer(slot.directory);
    computers.set(slot.directory, computer);
    const kept = createBoundedLog(maxLogBytes);
    // Paths of the server are hidden from callers.
    const hide = createHider([slot.directory, ...visible.reads]);
    const log = (line: string): void => {
      kept.add(`${hide(line)}\n`);
      onLog(hide(line));
    };
    const paths = buildPathsIn(slot.directory);
    const run = createStepRunner(computer, { paths, limits, log, visible, signal: either });
    const context: BuildContext = {
      ...{ organization, project, manifest, tools, limits, paths, log, run },
      maxArtifactBytes: settings.maxArtifactBytes,
    };
    try {
      onProgress({ state: "checking", message: `Checking ${manifest.name}` });
      await writeProject(project, paths.project);
      const steps = { ...context, caches, onProgress, runsTests };
      const built = await (manifest.runtime === "node" ? buildNode(steps) : buildPython(steps));
      const { bytes, digest } = packArtifact(built.artifact);
      requireArtifactFitting(bytes, settings.maxArtifactBytes);
      log(`Built ${manifest.name}: ${bytes.length} bytes, ${digest}`);
      return {
        ...{ artifact: bytes, digest, lockfileDigest: built.lockfileDigest, log: kept.text() },
        manifest: { ...manifest, inputSchema: built.inputSchema },
      };
    } catch (error) {
      throw error instanceof Problem ? new Problem(error.status, hide(error.message)) : error;
    } finally {
      await slot.release();
    }
  };

  return {
    build: (project, buildOptions) => {
      if (closing.signal.aborted)
        throw new Problem(503, "The server is shutting down. Publish again in a moment.");
      const building: Promise<BuiltTool> = build(project, buildOptions);
      const settled = building.catch(() => undefined);
      underWay.add(settled);
      void settled.finally(() => underWay.delete(settled));
      return building;
    },
    close: async () => {
      closing.abort(new Problem(503, "The server is shutting down. Publish again in a moment."));
      await Promise.all(underWay);
      await slots.remove();
    },
  };
}

function createHider(directories: readonly string[]): (text: string) => string {
  const [slot = ""] = directories;
  const paths = [`${slot}/project/`, `${slot}/`, ...directories.slice(1).map((path) => `${path}/`)];
  return (text) =>
    paths.reduce((hidden, path) => {
      const bare = hidden.replaceAll(`file://${path}`, "").replaceAll(path, "");
      return bare.replaceAll(path.slice(0, -1), ".");
    }, text);
}

function requireFitting(project: ProjectTree, maxBytes: number): void {
  let total = 0;
  for (const bytes of project.values()) total += bytes.length;
  if (total > maxBytes) {
    throw new Problem(
      400,
      `The project's files have ${total} bytes in all, more than the limit of ${maxBytes}. Remove files that the tool does not need.`,
    );
  }
}

function requireArtifactFitting(bytes: Uint8Array, maxBytes: number): void {
  if (bytes.length <= maxBytes) return;
  throw new Problem(
    400,
    `The built tool has ${bytes.length} bytes, more than the limit of ${maxBytes}. Depend on fewer or smaller packages.`,
  );
}

/** Writes a project's files into a directory. Throws a `Problem` 400 for a path that leaves it. */
async function writeProject(project: ProjectTree, directory: string): Promise<void> {
  for (const path of project.keys()) requirePlain(path);
  const folders = new Set([...project.keys()].map((path) => dirname(join(directory, path))));
  for (const folder of [directory, ...folders]) await mkdir(folder, { recursive: true });
  for (const [path, bytes] of project) await writeFile(join(directory, path), bytes);
}

function requirePlain(path: string): void {
  const parts = path.split("/");
  if (path.includes("\0") || parts.some((part) => part === "" || part === "." || part === "..")) {
    throw new Problem(
      400,
      `The project has a file at ${toShownName(path)}, which is not a valid path. Rename the file.`,
    );
  }
  if (parts.includes("node_modules")) {
    throw new Problem(
      400,
      `The project has ${toShownName(path)} in the repository. Remove node_modules (git rm -r --cached node_modules): packages are installed from package-lock.json.`,
    );
  }
}
