import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { readUntrustedFile } from "@haft/computer/internal";
import type { ProjectTree } from "../git/repositories.ts";
import { Problem } from "../problem.ts";
import type { ManifestDraft } from "../project/manifest-draft.ts";
import { findTrustedAuthorities } from "../runner/trusted-authorities.ts";
import type { BuildLimits } from "./build-limits.ts";
import type { BuildTools } from "./build-tools.ts";
import { type BuildComputer, runInSandbox, type SandboxedEnd } from "./run-in-sandbox.ts";
import { watchWritten } from "./watch-written.ts";

/** A program that a build step runs. */
export interface StepProgram {
  /** The step's name. The step can write only to the output directory of this name. */
  readonly step: string;
  readonly argv: readonly [program: string, ...args: string[]];
  /** Default: the project. */
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * Whether it runs code of the project. Such code does not get the server's certificate
   * authorities.
   */
  readonly runsProject: boolean;
  /** Paths it can write besides its own directory. */
  readonly writes?: readonly string[];
  readonly hosts?: readonly string[];
  readonly timeoutMs: number;
  /** Whether its output is kept out of the log. */
  readonly isQuiet?: boolean;
}

/** The project, tools and limits that the steps of a build share. */
export interface BuildContext {
  readonly organization: string;
  readonly project: ProjectTree;
  readonly manifest: ManifestDraft;
  readonly tools: BuildTools;
  readonly limits: BuildLimits;
  readonly paths: BuildPaths;
  readonly maxArtifactBytes: number;
  log(line: string): void;
  /** Runs a step's program until it ends. Throws a `Problem` 400 if it had to be stopped. */
  run(program: StepProgram): Promise<SandboxedEnd>;
}

/** The directories of a build. Programs of the build can write only below `out`. */
export interface BuildPaths {
  readonly project: string;
  /** Python packages. */
  readonly packages: string;
  /** Where Node packages are installed before they are moved into the project. */
  readonly install: string;
  readonly cache: string;
  /** Configuration files that we write for the build tools. */
  readonly settings: string;
  /** The output directory of a step. */
  out(step: string): string;
}

/** Returns the paths of a build below its own directory. */
export function buildPathsIn(directory: string): BuildPaths {
  return {
    project: join(directory, "project"),
    packages: join(directory, "packages"),
    install: join(directory, "install"),
    cache: join(directory, "cache"),
    settings: join(directory, "settings"),
    out: (step) => join(directory, "out", step),
  };
}

/**
 * Reads a file that a step wrote into its output directory; `undefined` if there is none. Throws a
 * `Problem` 400 if it is not a plain file: code that ran in the step could create anything there.
 */
export function readStepOutput(
  { paths }: Pick<BuildContext, "paths">,
  step: string,
  { name, maxBytes }: { readonly name: string; readonly maxBytes: number },
): string | undefined {
  const within = paths.out(step);
  const found = readUntrustedFile(join(within, name), { within, maxBytes });
  if (found.bytes !== undefined) return found.bytes.toString("utf8");
  if (found.isMissing) return undefined;
  throw new Problem(
    400,
    `${stepNames[step] ?? step} left a file ${name} that ${found.fault}. Don't write to this file from the project.`,
  );
}

/** Creates the function that runs the programs of a build's steps. */
export function createStepRunner(
  computer: BuildComputer,
  {
    paths,
    limits,
    log,
    visible,
    signal,
  }: Pick<BuildContext, "paths" | "limits" | "log"> & {
    /** What its programs can read besides the build's own directory. */
    readonly visible: Awaited<ReturnType<BuildTools["pathsFor"]>>;
    readonly signal: AbortSignal | undefined;
  },
): BuildContext["run"] {
  const trusted = findTrustedAuthorities();
  return async (program) => {
    const own = paths.out(program.step);
    mkdirSync(own, { recursive: true });
    const writes = [own, ...(program.writes ?? [])];
    const [ended, exceeded] = [new AbortController(), new AbortController()];
    const watching = watchWritten(writes, limits, ended.signal).then((problem) => {
      if (problem !== undefined) exceeded.abort(problem);
      return problem;
    });
    const either = AbortSignal.any([exceeded.signal, ...(signal === undefined ? [] : [signal])]);
    const end = await runInSandbox(computer, {
      argv: program.argv,
      cwd: program.cwd ?? paths.project,
      environment: {
        LANG: "C.UTF-8",
        ...(!program.runsProject && trusted.environment),
        ...program.environment,
      },
      reads: [...visible.reads, ...trusted.reads],
      hides: visible.hides,
      writes,
      hosts: program.hosts ?? [],
      timeoutMs: program.timeoutMs,
      maxPrintedBytes: limits.maxPrintedBytes,
      ...(!program.isQuiet && { onLine: log }),
      signal: either,
    }).finally(() => ended.abort());
    const problem = await watching;
    if (problem !== undefined) throw problem;
    if (end.stopped === "cancelled" && either.reason instanceof Problem) throw either.reason;
    requireNotStopped(end, program, limits);
    return end;
  };
}

function requireNotStopped(
  { stopped, output }: SandboxedEnd,
  program: StepProgram,
  limits: BuildLimits,
): void {
  if (stopped === undefined) return;
  const step = stepNames[program.step] ?? program.step;
  if (stopped === "cancelled") throw new Problem(499, "The build was cancelled.");
  const why =
    stopped === "timeout"
      ? `did not finish within ${program.timeoutMs / 1000} s and had to be stopped. Look for an endless loop, or for a promise that never settles`
      : `printed more than ${limits.maxPrintedBytes} bytes and had to be stopped. Print less`;
  throw new Problem(400, `${step} ${why}.${tellLogEnd(output)}`);
}

const stepNames: Readonly<Record<string, string>> = {
  install: "Installing the dependencies",
  types: "The type check",
  tests: "The tests",
  bundle: "The build",
  convert: "The build",
  load: "Loading the tool",
  entry: "Reading the entry",
};

/** Returns the last lines of an output, to be appended to a sentence. */
export function tellLogEnd(output: string): string {
  const lines = output.trimEnd().split("\n").slice(-20);
  const text = lines.join("\n").slice(-2_000).trim();
  return text === "" ? "" : ` The log ends with:\n${text}`;
}
