import { createHash } from "node:crypto";
import { toErrorMessage } from "@haft/contract/internal";
import { examineLayers } from "../layers/examine-layers.ts";
import { createBubblewrapSandbox } from "./linux/bubblewrap-sandbox.ts";
import type { Obstacle } from "./linux/explain-failure.ts";
import { findExecutable } from "./linux/find-executable.ts";
import { describeMachine } from "./linux/machine.ts";
import { probeSandbox } from "./linux/probe-sandbox.ts";
import { startAsOther } from "./root/start-as-other.ts";
import type { BrokerStart, SandboxFinding } from "./sandbox.ts";
import type { ProbeLaunch, SandboxContext } from "./sandbox-context.ts";
import { openSeatbelt } from "./seatbelt/open-seatbelt.ts";
import { createSeccompFilter } from "./seccomp/seccomp-filter.ts";

export type { ProbeLaunch, SandboxContext } from "./sandbox-context.ts";

/**
 * Finds out which sandbox this machine offers. `launch` starts processes the way that commands will
 * be started: with a broker according to `brokerStartFor`.
 */
export async function openSandbox(
  place: SandboxContext,
  launch: ProbeLaunch,
): Promise<SandboxFinding> {
  switch (process.platform) {
    case "linux":
      return openBubblewrap(place, launch);
    case "darwin":
      return openSeatbelt(place);
    default:
      return none({
        reason: `${nameOfSystem()} has no supported sandbox: Haft uses bubblewrap on Linux and Seatbelt on macOS`,
        remedy: "Run Haft on Linux (on Windows: WSL 2), or use `--sandbox=off` to run without one.",
      });
  }
}

async function openBubblewrap(place: SandboxContext, launch: ProbeLaunch): Promise<SandboxFinding> {
  const program = findExecutable("bwrap", place);
  if (program === undefined) {
    return none({
      reason: "bubblewrap (the program bwrap) is not installed",
      remedy:
        "Install it: `apt-get install bubblewrap`, `dnf install bubblewrap`, `pacman -S bubblewrap` or `apk add bubblewrap`.",
    });
  }
  if (findExecutable("bash", place) === undefined && findExecutable("sh", place) === undefined) {
    return none({ reason: "neither bash nor sh is installed", remedy: "Install bash." });
  }
  const isRoot = process.getuid?.() === 0;
  const filter = createSeccompFilter(process.arch, { isForRoot: isRoot });
  if (filter === undefined) {
    return none({
      reason: `there is no system call filter for ${process.arch} processors`,
      remedy: "Use a machine with an x86-64 or ARM64 processor, or use `--sandbox=off`.",
    });
  }
  try {
    const start = isRoot ? startAsOther(place) : { prefix: [], id: undefined };
    if (start.prefix === undefined) return none(start);
    const machine = describeMachine(place);
    const sandbox = createBubblewrapSandbox({ program, filter }, machine);
    const obstacle = await probeSandbox(sandbox, { machine, launch, prefix: start.prefix });
    if (obstacle !== undefined) return none(obstacle);
    let layers: ReturnType<typeof examineLayers> | undefined;
    const examine = (): ReturnType<typeof examineLayers> => {
      layers ??= examineLayers(place, launch);
      return layers;
    };
    const whom = start.id === undefined ? "" : `, as user ${start.id} instead of root`;
    return {
      sandbox: { ...sandbox, examineLayers: examine },
      detail: `bubblewrap (${program})${whom}`,
    };
  } catch (error) {
    const message = toErrorMessage(error);
    return none({
      reason: `the files of the sandbox can't be prepared: ${message}`,
      remedy: `Make ${place.stateDirectory} a directory that you can write to.`,
    });
  }
}

function none({ reason, remedy }: Obstacle): SandboxFinding {
  return { sandbox: undefined, reason, remedy };
}

function nameOfSystem(): string {
  return process.platform === "win32" ? "Windows" : process.platform;
}

/** How to start the broker for sandboxes: as the current user, or for root as an unprivileged one. */
export function brokerStartFor(place: SandboxContext): BrokerStart {
  const asWeAre = { prefix: [], key: "as-we-are" };
  if (process.platform !== "linux" || process.getuid?.() !== 0) return asWeAre;
  const { prefix } = startAsOther(place);
  // Then there is no sandbox either, and `openSandbox` says why.
  if (prefix === undefined) return asWeAre;
  return { prefix, key: createHash("sha256").update(JSON.stringify(prefix)).digest("hex") };
}
