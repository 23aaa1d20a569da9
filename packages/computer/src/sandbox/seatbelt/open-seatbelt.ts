import { existsSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { compileFileRules } from "@haft/core/internal";
import type { LayerSupport } from "../../layers/examine-layers.ts";
import { makeUniqueName } from "../../session/unique-name.ts";
import { Guard } from "../guard/guard.ts";
import { Quarantine } from "../guard/quarantine.ts";
import { settleRun } from "../guard/settle-run.ts";
import { findToolchains } from "../linux/find-toolchains.ts";
import { createRootResolver } from "../linux/resolve-roots.ts";
import type { PreparedRun, SandboxedRun, SandboxFinding } from "../sandbox.ts";
import type { SandboxContext } from "../sandbox-context.ts";
import { writeSeatbeltProfile } from "./seatbelt-profile.ts";

const launcher = "/usr/bin/sandbox-exec";

/** The sandbox of macOS. */
export function openSeatbelt(place: SandboxContext, program: string = launcher): SandboxFinding {
  if (!existsSync(program)) {
    return {
      sandbox: undefined,
      reason: `Seatbelt is not available: ${program} is missing`,
      remedy: "It comes with macOS; use `--sandbox=off` to run without a sandbox.",
    };
  }
  const prepare = createSeatbeltRuns(place, program);
  const examineLayers = async (): Promise<LayerSupport> => ({
    isAvailable: false,
    reason: "macOS has no overlay file system",
    remedy: "Run Haft on Linux to use layers.",
  });
  return {
    sandbox: { name: "seatbelt", prepare, examineLayers },
    detail: `Seatbelt (${program})`,
  };
}

function createSeatbeltRuns(
  place: SandboxContext,
  program: string,
): (run: SandboxedRun) => Promise<PreparedRun> {
  const { stateDirectory, home } = place;
  const resolveRoots = createRootResolver(place.roots, { isOther: false });
  const guard = new Guard({ home });
  const quarantine = new Quarantine(stateDirectory);
  const toolchains = findToolchains(place).directories;
  return async (run) => {
    const { readable, writable, cwd } = resolveRoots(run);
    const denied = run.fileRules && compileFileRules(run.fileRules);
    const guarded = await guard.inspect({ readable, writable }, { cwd, denied });
    const emptied = (run.hidden ?? []).map((path) => ({ path, type: "directory" }) as const);
    const hidden = [...guarded.hidden, ...emptied];
    const parent = join(stateDirectory, "sandbox");
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    const scratch = join(realpathSync(parent), `scratch-${makeUniqueName()}`);
    mkdirSync(scratch, { mode: 0o700 });
    const { egressSocket } = run;
    const profile = writeSeatbeltProfile({
      ...{ readable, writable, toolchains, scratch, stateDirectory, egressSocket },
      guarded: { ...guarded, hidden },
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
            : // curl is one of the few programs that can use a proxy at a socket.
              { ALL_PROXY: `socks5h://localhost${egressSocket}` }),
        },
        cwd,
        descriptors: [],
        endsTogether: false,
      },
      settle: async () => {
        rmSync(scratch, { recursive: true, force: true });
        return settleRun({
          ...{ before: guarded.places, writable, home, quarantine },
          find: (options) => guard.findBelow(writable, { ...options, denied }, guarded.others),
        });
      },
    };
  };
}

// Here processes are counted per user, so they can't be limited for one command.
function limit({ limits }: SandboxedRun): string {
  const files = Math.floor((limits?.fileBytes ?? 4 * 1024 ** 3) / 1024);
  const seconds = limits?.cpuSeconds === undefined ? "" : `ulimit -t ${limits.cpuSeconds}; `;
  return `ulimit -c 0; ulimit -f ${files}; ${seconds}exec "$@"`;
}
