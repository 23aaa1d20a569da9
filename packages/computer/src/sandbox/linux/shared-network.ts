import { ToolError } from "@haft/contract";
import type { LaunchPlan } from "../launch-plan.ts";
import type { SandboxPlace } from "../sandbox-place.ts";
import { findExecutable } from "./find-executable.ts";

/** A way to have several sandboxes in one network that holds nothing else. */
export interface SharedNetworks {
  /** A process that does nothing but hold such a network, and prints a line once it does. */
  plan(): LaunchPlan;
  /** The same program, started in the network that a process holds. */
  enter(holder: number, argv: readonly [string, ...string[]]): readonly [string, ...string[]];
}

/** Finds out how sandboxes can share a network; `undefined` if they can't. */
export function findSharedNetworks(
  bubblewrap: string,
  place: SandboxPlace,
): SharedNetworks | undefined {
  const nsenter = findExecutable("nsenter", place);
  const sh = findExecutable("sh", place);
  const sleep = findExecutable("sleep", place);
  if (nsenter === undefined || sh === undefined || sleep === undefined) return undefined;
  return {
    plan: () => ({
      program: bubblewrap,
      // One user namespace only, which owns the network: who joins must be able to enter both.
      args: [
        ...["--unshare-user", "--unshare-net", "--unshare-ipc", "--die-with-parent"],
        ...["--new-session", "--ro-bind", "/", "/", "--info-fd", "3", "--"],
        // Before that its user namespace has no users yet, and nobody can join.
        ...[sh, "-c", `echo; exec ${sleep} infinity`],
      ],
      environment: {},
      cwd: "/",
      descriptors: [{ role: "info" }],
      endsTogether: true,
    }),
    // If it fails nothing runs: bubblewrap itself is told to stay in the network that it starts in.
    enter: (holder, argv) => [
      nsenter,
      ...["--target", `${holder}`, "--user", "--net", "--preserve-credentials", "--"],
      ...argv,
    ],
  };
}

/** There is no way into a network that a run was to share, and the machine's own is none. */
export function noSharedNetwork(): ToolError {
  return new ToolError(
    "unavailable",
    "Sandboxes can't share a network here: nsenter is not installed. Install util-linux.",
  );
}
