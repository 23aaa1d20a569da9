import { existsSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeUniqueName } from "../../session/unique-name.ts";
import { Guard } from "../guard/guard.ts";
import { Quarantine } from "../guard/quarantine.ts";
import { settleRun } from "../guard/settle-run.ts";
import { findToolchains } from "../linux/find-toolchains.ts";
import { createRootResolver } from "../linux/resolve-roots.ts";
import type { PreparedRun, SandboxedRun, SandboxFinding } from "../sandbox.ts";
import type { SandboxPlace } from "../sandbox-place.ts";
import { writeSeatbeltProfile } from "./seatbelt-profile.ts";

const launcher = "/usr/bin/sandbox-exec";

/** The sandbox of macOS. */
export function openSeatbelt(place: SandboxPlace, program: string = launcher): SandboxFinding {
  if (!existsSync(program)) {
    return {
      sandbox: undefined,
      reason: `Seatbelt is not there: ${program} is missing`,
      remedy: "It comes with macOS; say `--sandbox=off` to go without.",
    };
  }
  const prepare = createSeatbeltRuns(place, program);
  return { sandbox: { name: "seatbelt", prepare }, detail: `Seatbelt (${program})` };
}

function createSeatbeltRuns(
  place: SandboxPlace,
  program: string,
): (run: SandboxedRun) => Promise<PreparedRun> {
  const { stateDirectory, home } = place;
  const resolveRoots = createRootResolver(place.roots, { isOther: false });
  const guard = new Guard();
  const quarantine = new Quarantine(stateDirectory);
  const toolchains = findToolchains(place).directories;
  return async (run) => {
    const { readable, writable, cwd } = resolveRoots(run);
    const guarded = await guard.inspect({ readable, writable });
    const parent = join(stateDirectory, "sandbox");
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    const scratch = join(realpathSync(parent), `scratch-${makeUniqueName()}`);
    mkdirSync(scratch, { mode: 0o700 });
    const { egressSocket } = run;
    const profile = writeSeatbeltProfile({
      ...{ readable, writable, guarded, toolchains, scratch, stateDirectory, egressSocket },
    });
    const argv = "argv" in run.run ? run.run.argv : ["/bin/bash", "-c", run.run.command];
    return {
      plan: {
        program,
        args: ["-p", profile, "/bin/bash", "-p", "-c", limit(run), "haft", ...argv],
        environment: {
          ...run.environment,
          TMPDIR: scratch,
          ...(egressSocket === undefined
            ? {}
            : // curl is one of the few that can use a proxy at a socket.
              { ALL_PROXY: `socks5h://localhost${egressSocket}` }),
        },
        cwd,
        descriptors: [],
        endsTogether: false,
      },
      settle: async () => {
        rmSync(scratch, { recursive: true, force: true });
        const after = await guard.findBelow(writable);
        return settleRun(guarded.places, after, { writable, home, quarantine });
      },
    };
  };
}

// Processes are counted for the user as a whole here, so they can't be limited for one command.
function limit({ limits }: SandboxedRun): string {
  const files = Math.floor((limits?.fileBytes ?? 4 * 1024 ** 3) / 1024);
  const seconds = limits?.cpuSeconds === undefined ? "" : `ulimit -t ${limits.cpuSeconds}; `;
  return `ulimit -c 0; ulimit -f ${files}; ${seconds}exec "$@"`;
}
