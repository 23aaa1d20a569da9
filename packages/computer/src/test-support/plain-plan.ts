import type { LaunchPlan } from "../sandbox/launch-plan.ts";

/** Runs a command with bash and without a sandbox. */
export function plainPlan(command: string): LaunchPlan {
  return {
    program: "/bin/bash",
    args: ["-c", "--", command],
    environment: { PATH: process.env.PATH ?? "" },
    cwd: "/",
    descriptors: [],
    endsTogether: false,
  };
}
