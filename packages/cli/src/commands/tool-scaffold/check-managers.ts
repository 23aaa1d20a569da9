import { runProgram } from "../../environments/run-program.ts";
import type { Io } from "../../io.ts";
import type { ToolFolder } from "./find-tools.ts";

interface Manager {
  readonly program: string;
  readonly minVersion: string;
  readonly remedy: string;
}

const managers: Readonly<Record<ToolFolder["runtime"], Manager>> = {
  python: {
    program: "uv",
    minVersion: "0.10.2",
    remedy: "Install it with: pip install --upgrade uv (or: uv self update)",
  },
  node: {
    program: "npm",
    minVersion: "10.0.0",
    remedy: "Install it with: npm install --global npm@latest (it comes with Node)",
  },
};

/** Refuses tools whose package manager is missing or too old, before anything is changed. */
export async function checkManagers(tools: readonly ToolFolder[], io: Io): Promise<void> {
  const runtimes = new Set(tools.map(({ runtime }) => runtime));
  for (const runtime of runtimes) await checkManager(managers[runtime], runtime, io);
}

async function checkManager(manager: Manager, runtime: string, io: Io): Promise<void> {
  const { program, minVersion, remedy } = manager;
  const { exitCode, stdout } = await runProgram(program, ["--version"], {
    directory: io.directory,
    environment: io.environment,
    signal: io.signal,
  });
  const needs = `Tools in ${runtime} need ${program} ${minVersion} or newer`;
  if (exitCode === undefined) throw new Error(`${needs}, which is not installed. ${remedy}`);
  const [, found] = /(\d+\.\d+\.\d+)/u.exec(stdout) ?? [];
  if (exitCode !== 0 || found === undefined) {
    throw new Error(`${needs}, but \`${program} --version\` prints no version. ${remedy}`);
  }
  if (!isAtLeast(found, minVersion)) throw new Error(`${needs}; this is ${found}. ${remedy}`);
}

function isAtLeast(found: string, minVersion: string): boolean {
  const [have, need] = [found, minVersion].map((text) => text.split(".").map(Number));
  for (const [at, wanted] of (need ?? []).entries()) {
    const difference = (have?.[at] ?? 0) - wanted;
    if (difference !== 0) return difference > 0;
  }
  return true;
}
