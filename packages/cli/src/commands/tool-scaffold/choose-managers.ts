import { runProgram } from "../../environments/run-program.ts";
import type { Io } from "../../io.ts";
import type { ToolFolder } from "./find-tools.ts";

type Runtime = ToolFolder["runtime"];

/** A program that installs packages. */
export interface Manager {
  readonly program: "npm" | "uv" | "python3";
  readonly minVersion: string;
  readonly remedy: string;
}

/** The managers of each runtime. The first that is installed is used. */
const managers: Readonly<Record<Runtime, readonly [Manager, ...Manager[]]>> = {
  python: [
    {
      program: "uv",
      minVersion: "0.10.2",
      remedy: "Install it with: pip install --upgrade uv (or: uv self update)",
    },
    {
      program: "python3",
      minVersion: "3.9.0",
      remedy: "Install a newer Python, or uv with: pip install uv",
    },
  ],
  node: [
    {
      program: "npm",
      minVersion: "10.0.0",
      remedy: "Install it with: npm install --global npm@latest (it comes with Node)",
    },
  ],
};

/**
 * Chooses the package manager of each runtime, before anything is changed. Throws if one has none, or
 * one that is too old.
 */
export async function chooseManagers(
  tools: readonly ToolFolder[],
  io: Io,
): Promise<ReadonlyMap<Runtime, Manager>> {
  const chosen = new Map<Runtime, Manager>();
  for (const { runtime } of tools) {
    if (!chosen.has(runtime)) chosen.set(runtime, await chooseManager(runtime, io));
  }
  return chosen;
}

async function chooseManager(runtime: Runtime, io: Io): Promise<Manager> {
  for (const manager of managers[runtime]) {
    if (await checkManager(manager, runtime, io)) return manager;
  }
  const [{ remedy }] = managers[runtime];
  const needs = managers[runtime].map(describe).join(" or ");
  throw new Error(`Tools in ${runtime} need ${needs}, which is not installed. ${remedy}`);
}

/** Returns whether a manager is installed. Throws if it is too old. */
async function checkManager(manager: Manager, runtime: Runtime, io: Io): Promise<boolean> {
  const { program, minVersion, remedy } = manager;
  const { exitCode, stdout } = await runProgram(program, ["--version"], {
    directory: io.directory,
    environment: io.environment,
    signal: io.signal,
  });
  if (exitCode === undefined) return false;
  const needs = `Tools in ${runtime} need ${describe(manager)}`;
  const [, found] = /(\d+\.\d+\.\d+)/u.exec(stdout) ?? [];
  if (exitCode !== 0 || found === undefined) {
    throw new Error(`${needs}, but \`${program} --version\` prints no version. ${remedy}`);
  }
  if (!isAtLeast(found, minVersion)) throw new Error(`${needs}; this is ${found}. ${remedy}`);
  return true;
}

function describe({ program, minVersion }: Manager): string {
  return `${program} ${minVersion} or newer`;
}

function isAtLeast(found: string, minVersion: string): boolean {
  const [have, need] = [found, minVersion].map((text) => text.split(".").map(Number));
  for (const [at, wanted] of (need ?? []).entries()) {
    const difference = (have?.[at] ?? 0) - wanted;
    if (difference !== 0) return difference > 0;
  }
  return true;
}
