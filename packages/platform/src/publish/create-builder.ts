import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import type { ProjectTree } from "../git/repositories.ts";
import type { PlatformSettings } from "../platform-settings.ts";
import { Problem } from "../problem.ts";
import { readManifest } from "../project/read-manifest.ts";
import { packArtifact } from "../runner/artifact.ts";
import { type BuildContext, createStepRunner, placesIn } from "./build-context.ts";
import { type BuildLimits, defaultBuildLimits } from "./build-limits.ts";
import { buildNode } from "./build-node.ts";
import { buildPython } from "./build-python.ts";
import { createBuildSlots } from "./build-slots.ts";
import { type BuildTools, findBuildTools } from "./build-tools.ts";
import type { Builder, BuiltTool } from "./builder.ts";
import { createHeadAndTail } from "./head-and-tail.ts";
import type { BuildComputer } from "./run-in-sandbox.ts";
import { writeProject } from "./write-project.ts";

/** What a builder is made of. */
export interface BuilderOptions {
  readonly settings: Pick<
    PlatformSettings,
    "privateHosts" | "runner" | "mostProjectBytes" | "mostArtifactBytes"
  >;
  /** Where builds happen, and what they download is kept. */
  readonly directory: string;
  readonly limits?: Partial<BuildLimits>;
  readonly tools?: BuildTools;
  /** What programs run on, in a directory: this machine, in its sandbox only, unless said. */
  openComputer?(workspace: string): BuildComputer;
}

const mostLogCharacters = 500_000;

/** Makes a builder. Whatever of a project is run is run in the sandbox. */
export function createBuilder(options: BuilderOptions): Builder {
  const { settings, directory } = options;
  const limits = { ...defaultBuildLimits, ...options.limits };
  const tools = options.tools ?? findBuildTools();
  const slots = createBuildSlots(join(directory, "builds"), limits.mostAtOnce);
  const caches = join(directory, "caches");
  mkdirSync(caches, { recursive: true, mode: 0o700 });
  const openComputer =
    options.openComputer ??
    ((workspace: string) =>
      createDiskComputer({
        workspace,
        stateDirectory: join(directory, "state"),
        sandbox: "required",
      }));
  const computers = new Map<string, BuildComputer>();
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();

  const build: Builder["build"] = async (project, { organization, onProgress, onLog, signal }) => {
    const manifest = readManifest(project, settings);
    requireFitting(project, settings.mostProjectBytes);
    const either = AbortSignal.any([closing.signal, ...(signal === undefined ? [] : [signal])]);
    const slot = await slots.take(either);
    const computer = computers.get(slot.directory) ?? openComputer(slot.directory);
    computers.set(slot.directory, computer);
    const kept = createHeadAndTail(mostLogCharacters);
    // Nobody outside needs to know where the server keeps things.
    const hide = createHider([slot.directory, ...tools.reads]);
    const log = (line: string): void => {
      kept.add(`${hide(line)}\n`);
      onLog(hide(line));
    };
    const places = placesIn(slot.directory);
    const run = createStepRunner(computer, { places, tools, limits, log, signal: either });
    const context: BuildContext = {
      ...{ organization, project, manifest, tools, limits, places, log, run },
    };
    try {
      onProgress({ state: "checking", message: `Checking ${manifest.name}` });
      await writeProject(project, places.project);
      const steps = { ...context, caches, onProgress };
      const built = await (manifest.runtime === "node" ? buildNode(steps) : buildPython(steps));
      const { bytes, digest } = packArtifact(built.artifact);
      requireArtifactFitting(bytes, settings.mostArtifactBytes);
      log(`Built ${manifest.name}: ${bytes.length} bytes, ${digest}`);
      return {
        ...{ artifact: bytes, digest, lockfileDigest: built.lockfileDigest, log: kept.text() },
        manifest: { ...manifest, inputSchema: built.inputSchema },
      };
    } catch (error) {
      throw error instanceof Problem ? new Problem(error.status, hide(error.message)) : error;
    } finally {
      slot.release();
    }
  };

  return {
    build: (project, buildOptions) => {
      if (closing.signal.aborted)
        throw new Problem(503, "The server is stopping. Try again later.");
      const building: Promise<BuiltTool> = build(project, buildOptions);
      const settled = building.catch(() => undefined);
      underWay.add(settled);
      void settled.finally(() => underWay.delete(settled));
      return building;
    },
    close: async () => {
      closing.abort(new Problem(503, "The server is stopping. Try again later."));
      await Promise.all(underWay);
      slots.remove();
    },
  };
}

function createHider(directories: readonly string[]): (text: string) => string {
  const [slot = ""] = directories;
  const places = [
    `${slot}/project/`,
    `${slot}/`,
    ...directories.slice(1).map((path) => `${path}/`),
  ];
  return (text) =>
    places.reduce((hidden, place) => {
      const bare = hidden.replaceAll(`file://${place}`, "").replaceAll(place, "");
      return bare.replaceAll(place.slice(0, -1), ".");
    }, text);
}

function requireFitting(project: ProjectTree, most: number): void {
  let total = 0;
  for (const bytes of project.values()) total += bytes.length;
  if (total > most) {
    throw new Problem(
      400,
      `The project's files are ${total} bytes in all, and at most ${most} are taken. Take out what the tool does not need.`,
    );
  }
}

function requireArtifactFitting(bytes: Uint8Array, most: number): void {
  if (bytes.length <= most) return;
  throw new Problem(
    400,
    `The built tool is ${bytes.length} bytes, and at most ${most} are kept. Depend on less, or on smaller packages.`,
  );
}
