import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ProjectTree } from "../git/repositories.ts";
import { Problem } from "../problem.ts";
import type { ManifestDraft } from "../project/manifest-draft.ts";
import type { BuildLimits } from "./build-limits.ts";
import type { BuildTools } from "./build-tools.ts";
import { type BuildComputer, runInSandbox, type SandboxedEnd } from "./run-in-sandbox.ts";

/** A program that is run for a build. */
export interface StepProgram {
  /** The step's name, which its own directory has too: the only one that it can write. */
  readonly step: string;
  readonly argv: readonly [program: string, ...args: string[]];
  /** The project unless said. */
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether it runs code of the project: then it gets nothing of the server's environment. */
  readonly runsProject: boolean;
  /** What it can write beside its own directory. */
  readonly writes?: readonly string[];
  readonly hosts?: readonly string[];
  readonly timeoutMs: number;
  /** Whether what it prints is kept from the log. */
  readonly isQuiet?: boolean;
}

/** What the steps of a build work with. */
export interface BuildContext {
  readonly organization: string;
  readonly project: ProjectTree;
  readonly manifest: ManifestDraft;
  readonly tools: BuildTools;
  readonly limits: BuildLimits;
  readonly places: BuildPlaces;
  log(line: string): void;
  /** Runs a program of a step to its end. Throws a `Problem` 400 if it had to be stopped. */
  run(program: StepProgram): Promise<SandboxedEnd>;
}

/** Where things of a build are. Only what is below `out` can be written by what it runs. */
export interface BuildPlaces {
  readonly project: string;
  /** Packages of Python. */
  readonly packages: string;
  /** Where packages of Node are installed first. */
  readonly install: string;
  readonly cache: string;
  /** What we write for the tools that are run. */
  readonly settings: string;
  /** Each step's own directory. */
  out(step: string): string;
}

/** The places of a build in a directory of its own. */
export function placesIn(directory: string): BuildPlaces {
  return {
    project: join(directory, "project"),
    packages: join(directory, "packages"),
    install: join(directory, "install"),
    cache: join(directory, "cache"),
    settings: join(directory, "settings"),
    out: (step) => join(directory, "out", step),
  };
}

/** Runs the programs of a build's steps. */
export function createStepRunner(
  computer: BuildComputer,
  {
    places,
    tools,
    limits,
    log,
    signal,
  }: Pick<BuildContext, "places" | "tools" | "limits" | "log"> & {
    readonly signal: AbortSignal | undefined;
  },
): BuildContext["run"] {
  return async (program) => {
    const own = places.out(program.step);
    mkdirSync(own, { recursive: true });
    const end = await runInSandbox(computer, {
      argv: program.runsProject ? withoutEnvironment(program) : program.argv,
      cwd: program.cwd ?? places.project,
      ...(!program.runsProject && { environment: program.environment ?? {} }),
      reads: tools.reads,
      writes: [own, ...(program.writes ?? [])],
      hosts: program.hosts ?? [],
      timeoutMs: program.timeoutMs,
      mostPrintedBytes: limits.mostPrintedBytes,
      ...(!program.isQuiet && { onLine: log }),
      ...(signal !== undefined && { signal }),
    });
    if (end.stopped === "cancelled" && signal?.reason instanceof Problem) throw signal.reason;
    requireNotStopped(end, program);
    return end;
  };
}

/** Gives a program exactly these variables. */
function withoutEnvironment({
  argv,
  environment = {},
}: StepProgram): readonly [string, ...string[]] {
  const variables = { PATH: "/usr/bin:/bin", HOME: "/tmp", LANG: "C.UTF-8", ...environment };
  const assignments = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return ["/usr/bin/env", "-i", ...assignments, ...argv];
}

function requireNotStopped({ stopped, output }: SandboxedEnd, program: StepProgram): void {
  if (stopped === undefined) return;
  const step = stepNames[program.step] ?? program.step;
  if (stopped === "cancelled") throw new Problem(499, "The build was cancelled.");
  const why =
    stopped === "timeout"
      ? `did not end within ${program.timeoutMs / 1000} s, and had to be stopped. Look for a loop, or something that is waited for and never comes`
      : "printed far too much, and had to be stopped. Print less";
  throw new Problem(400, `${step} ${why}.${tellLogEnd(output)}`);
}

const stepNames: Readonly<Record<string, string>> = {
  install: "Installing what the project depends on",
  types: "The type check",
  tests: "The tests",
  bundle: "The build",
  load: "Loading the tool",
  entry: "Reading the entry",
};

/** The end of what was printed, to be put behind a sentence. */
export function tellLogEnd(output: string): string {
  const lines = output.trimEnd().split("\n").slice(-20);
  const text = lines.join("\n").slice(-2_000).trim();
  return text === "" ? "" : ` The log ends with:\n${text}`;
}
