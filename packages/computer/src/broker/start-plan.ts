import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import type { LaunchPlan } from "../sandbox/launch-plan.ts";
import { openPaths } from "../sandbox/open-paths.ts";
import type { RunPipes } from "./messages.ts";
import { markerName } from "./run-members.ts";

/** Starts the process of a plan; `pipes` are the full paths of its standard streams. */
export function startPlan(plan: LaunchPlan, pipes: RunPipes, marker: string): ChildProcess {
  const opened: number[] = [];
  // The reader may be gone already and must not be waited for. The process itself uses blocking
  // writes: Node sees to that for its standard streams.
  const open = (pipe: string, flags: number): number => {
    const fd = openSync(pipe, flags | constants.O_NONBLOCK);
    opened.push(fd);
    return fd;
  };
  const places = openPaths(plan);
  try {
    const output = open(pipes.output, constants.O_WRONLY);
    const stdio: StdioOptions = [
      pipes.input === undefined ? "ignore" : open(pipes.input, constants.O_RDONLY),
      output,
      pipes.errors === undefined ? output : open(pipes.errors, constants.O_WRONLY),
      ...places.descriptors.map((place) => place ?? ("pipe" as const)),
    ];
    return spawn(plan.program, plan.args, {
      cwd: plan.cwd,
      env: { ...plan.environment, [markerName]: marker },
      // Its own session: no terminal, and signals meant for us don't reach it.
      detached: true,
      stdio,
    });
  } finally {
    for (const fd of opened) closeSync(fd);
    places.close();
  }
}
