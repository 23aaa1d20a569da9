import { createBubblewrapSandbox } from "./linux/bubblewrap-sandbox.ts";
import type { Obstacle } from "./linux/explain-failure.ts";
import { findExecutable } from "./linux/find-executable.ts";
import { describeMachine } from "./linux/machine.ts";
import { probeSandbox } from "./linux/probe-sandbox.ts";
import { startAsOther } from "./root/start-as-other.ts";
import type { SandboxFinding } from "./sandbox.ts";
import type { ProbeLaunch, SandboxPlace } from "./sandbox-place.ts";
import { openSeatbelt } from "./seatbelt/open-seatbelt.ts";
import { createSeccompFilter } from "./seccomp/seccomp-filter.ts";

export { brokerStartFor } from "./broker-start.ts";
export type { ProbeLaunch, SandboxPlace } from "./sandbox-place.ts";

/**
 * Finds out what can confine commands on this machine. `launch` starts processes the way that
 * commands will be started: with a broker as `brokerStartFor` says.
 */
export async function openSandbox(
  place: SandboxPlace,
  launch: ProbeLaunch,
): Promise<SandboxFinding> {
  switch (process.platform) {
    case "linux":
      return openBubblewrap(place, launch);
    case "darwin":
      return openSeatbelt(place);
    default:
      return none({
        reason: `${nameOfSystem()} has no sandbox here: Haft confines commands with bubblewrap on Linux and Seatbelt on macOS`,
        remedy: "Run Haft in a Linux (on Windows: WSL 2), or say `--sandbox=off` to go without.",
      });
  }
}

async function openBubblewrap(place: SandboxPlace, launch: ProbeLaunch): Promise<SandboxFinding> {
  const program = findExecutable("bwrap", place);
  if (program === undefined) {
    return none({
      reason: "bubblewrap (the program bwrap) is not installed",
      remedy:
        "Install it: `apt-get install bubblewrap`, `dnf install bubblewrap`, `pacman -S bubblewrap` or `apk add bubblewrap`.",
    });
  }
  if (findExecutable("bash", place) === undefined) {
    return none({ reason: "bash is not installed, and sh will not do", remedy: "Install bash." });
  }
  const isRoot = process.getuid?.() === 0;
  const filter = createSeccompFilter(process.arch, { isForRoot: isRoot });
  if (filter === undefined) {
    return none({
      reason: `for processors of the kind ${process.arch} there is no filter of system calls`,
      remedy: "Use a machine with an x86-64 or ARM64 processor, or say `--sandbox=off`.",
    });
  }
  try {
    const start = isRoot ? startAsOther(place) : { prefix: [], id: undefined };
    if (start.prefix === undefined) return none(start);
    const machine = describeMachine(place);
    const sandbox = createBubblewrapSandbox({ program, filter }, machine);
    const obstacle = await probeSandbox(sandbox, { machine, launch, prefix: start.prefix });
    if (obstacle !== undefined) return none(obstacle);
    const whom = start.id === undefined ? "" : `, as user ${start.id} instead of root`;
    return { sandbox, detail: `bubblewrap (${program})${whom}` };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return none({
      reason: `a sandbox can't be furnished: ${message}`,
      remedy: `Make ${place.stateDirectory} a directory that you can write.`,
    });
  }
}

function none({ reason, remedy }: Obstacle): SandboxFinding {
  return { sandbox: undefined, reason, remedy };
}

function nameOfSystem(): string {
  return process.platform === "win32" ? "Windows" : process.platform;
}
