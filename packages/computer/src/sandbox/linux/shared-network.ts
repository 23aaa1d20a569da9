import { ToolError } from "@haft/contract";
import type { LaunchPlan } from "../launch-plan.ts";
import type { SandboxContext } from "../sandbox-context.ts";
import { findExecutable } from "./find-executable.ts";
import { listSockets, type SocketFile } from "./list-sockets.ts";

/** Puts several sandboxes into one network that holds nothing else. */
export interface SharedNetworks {
  /** A process that only holds such a network open, and prints a line once it does. */
  plan(): LaunchPlan;
  /** The same program, started in the network that a process holds. */
  enter(holder: number, argv: readonly [string, ...string[]]): readonly [string, ...string[]];
  /** The socket files in it; empty where the kernel can't be asked, which takes Perl. */
  listSockets(holder: number): Promise<readonly SocketFile[]>;
}

/** Finds out how sandboxes can share a network; `undefined` if they can't. */
export function findSharedNetworks(
  bubblewrap: string,
  place: SandboxContext,
): SharedNetworks | undefined {
  const nsenter = findExecutable("nsenter", place);
  const sh = findExecutable("sh", place);
  const sleep = findExecutable("sleep", place);
  if (nsenter === undefined || sh === undefined || sleep === undefined) return undefined;
  const perl = findExecutable("perl", place);
  // If it fails nothing runs: bubblewrap itself is told to stay in the network that it starts in.
  const enter: SharedNetworks["enter"] = (holder, argv) => [
    nsenter,
    ...["--target", `${holder}`, "--user", "--net", "--preserve-credentials", "--"],
    ...argv,
  ];
  return {
    enter,
    listSockets: async (holder) =>
      perl === undefined ? [] : listSockets(perl, (argv) => enter(holder, argv)),
    plan: () => ({
      program: bubblewrap,
      // Only one user namespace, which owns the network: joining requires entering both.
      args: [
        ...["--unshare-user", "--unshare-net", "--unshare-ipc", "--die-with-parent"],
        ...["--new-session", "--ro-bind", "/", "/", "--info-fd", "3", "--"],
        // Before that its user namespace has no users yet, and can't be joined.
        ...[sh, "-c", `echo; exec ${sleep} infinity`],
      ],
      environment: {},
      cwd: "/",
      descriptors: [{ role: "info" }],
      endsTogether: true,
    }),
  };
}

/** The error if a network can't be joined; the machine's own is no substitute. */
export function noSharedNetwork(): ToolError {
  return new ToolError(
    "unavailable",
    "Sandboxes can't share a network here: nsenter is not installed. Install util-linux.",
  );
}
