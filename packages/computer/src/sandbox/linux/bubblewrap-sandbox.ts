import { randomInt } from "node:crypto";
import { extname } from "node:path";
import { ToolError } from "@haft/contract";
import { egressEnvironment } from "../../net/egress-environment.ts";
import { findEgressBridge } from "../../net/find-egress-bridge.ts";
import { isInside } from "../../paths/path-parts.ts";
import { Guard } from "../guard/guard.ts";
import { Quarantine } from "../guard/quarantine.ts";
import { settleRun } from "../guard/settle-run.ts";
import type { LaunchDescriptor } from "../launch-plan.ts";
import type { PreparedRun, Sandbox, SandboxedRun, SandboxLimits } from "../sandbox.ts";
import { listMounts } from "./list-mounts.ts";
import type { Machine } from "./machine.ts";
import { createRootResolver } from "./resolve-roots.ts";
import { makeSandboxEnvironment } from "./sandbox-environment.ts";
import { findSharedNetworks, noSharedNetwork } from "./shared-network.ts";
import { type Supervised, supervise } from "./supervisor.ts";

/** What launches sandboxes, and the filter that is in force in them. */
export interface Bubblewrap {
  readonly program: string;
  readonly filter: Uint8Array;
}

/** Confines programs with bubblewrap. */
export function createBubblewrapSandbox(bubblewrap: Bubblewrap, machine: Machine): Sandbox {
  const { place, user, bash = "bash" } = machine;
  const prepared = [...place.roots, ...(place.reads ?? []), machine.files.probe];
  const resolveRoots = createRootResolver(prepared, user);
  const guard = new Guard();
  const quarantine = new Quarantine(place.stateDirectory);
  const networks = findSharedNetworks(bubblewrap.program, place);
  const filter: LaunchDescriptor = {
    role: "content",
    base64: Buffer.from(bubblewrap.filter).toString("base64"),
  };

  const launchIn = (
    network: number | undefined,
    argv: readonly [string, ...string[]],
  ): readonly [string, ...string[]] => {
    if (network === undefined) return argv;
    if (networks === undefined) throw noSharedNetwork();
    return networks.enter(network, argv);
  };

  const prepare = async (run: SandboxedRun): Promise<PreparedRun> => {
    const roots = resolveRoots(run);
    const { readable, writable, cwd } = roots;
    const guarded = await guard.inspect(roots);
    const egress = describeEgress(run);
    const mounts = listMounts(
      { readable, writable, guarded, shown: egress?.shown ?? [] },
      machine,
      firstPlace,
    );
    const environment = makeSandboxEnvironment(run.environment, {
      user: { ...user, home: chooseHome(run, writable) ?? user.home },
      visible: [...machine.toolchains.directories, ...readable, ...writable],
      proxy: egress === undefined ? {} : egressEnvironment(egress.proxy, run.allowedHosts ?? []),
    });
    const options = [
      ...fixedOptions,
      ...(run.network === undefined ? [] : ["--share-net"]),
      ...(user.isOther ? ["--uid", `${user.uid}`, "--gid", `${user.gid}`] : []),
      ...mounts.options,
      "--chdir",
      cwd,
      "--clearenv",
      ...Object.entries(environment).flatMap(([name, value]) => ["--setenv", name, value]),
    ];
    requireFitting(options, run);
    const supervised: Supervised = {
      // The last word is what it calls itself.
      argv: "argv" in run.run ? run.run.argv : [bash, "-c", "--", run.run.command, "bash"],
      limits: { ...defaultLimits, ...run.limits },
      ...(egress === undefined ? {} : { bridge: egress.bridge }),
    };
    // What is on the command line can be read by everybody on this machine, so nothing else is.
    const [program, ...args] = launchIn(run.network, [
      bubblewrap.program,
      ...["--args", `${descriptors.args}`, "--", ...supervise(supervised, machine)],
    ]);
    return {
      plan: {
        program,
        args,
        environment: {},
        cwd: "/",
        descriptors: [
          { role: "report" },
          { role: "content", base64: Buffer.from(options.join("\0")).toString("base64") },
          filter,
          { role: "info" },
          { role: "block" },
          ...mounts.places.map((path): LaunchDescriptor => ({ role: "place", path })),
        ],
        endsTogether: true,
      },
      settle: async () => {
        try {
          const after = await guard.findBelow(writable);
          return settleRun(guarded.places, after, { writable, home: place.home, quarantine });
        } catch (error) {
          return [`What the command left behind could not be looked at: ${messageOf(error)}`];
        }
      },
    };
  };
  if (networks === undefined) return { name: "bubblewrap", prepare };
  return { name: "bubblewrap", prepare, planNetwork: networks.plan };
}

// In the order of the plan's descriptors. The first is for what supervises, which reports on 3.
const descriptors = { args: 4, filter: 5, info: 6, block: 7 } as const;
const firstPlace = 8;

const fixedOptions: readonly string[] = [
  ...["--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"],
  ...["--die-with-parent", "--new-session", "--as-pid-1", "--hostname", "haft"],
  ...["--seccomp", `${descriptors.filter}`],
  ...["--info-fd", `${descriptors.info}`, "--block-fd", `${descriptors.block}`],
];

const defaultLimits: SandboxLimits = {
  processes: 512,
  memoryBytes: 4 * 1024 ** 3,
  fileBytes: 4 * 1024 ** 3,
};

function chooseHome({ home }: SandboxedRun, writable: readonly string[]): string | undefined {
  return writable.some((root) => isInside(root, home ?? "")) ? home : undefined;
}

interface EgressView {
  readonly shown: readonly (readonly [from: string, to: string])[];
  readonly bridge: NonNullable<Supervised["bridge"]>;
  /** The URL of the proxy for programs inside. */
  readonly proxy: string;
}

function describeEgress({ egressSocket: socket, network }: SandboxedRun): EgressView | undefined {
  if (socket === undefined) return undefined;
  // In a network that is shared every run has a proxy of its own.
  const port = network === undefined ? 3128 : randomInt(20_000, 32_000);
  const script = findEgressBridge();
  const inside = {
    socket: "/run/haft/egress.sock",
    // Named so that it is taken for a module wherever it is.
    script: `/run/haft/egress-bridge.m${extname(script).slice(1)}`,
  };
  return {
    shown: [
      [socket, inside.socket],
      [script, inside.script],
    ],
    bridge: {
      argv: [process.execPath, inside.script, inside.socket, `${port}`],
      port,
    },
    proxy: `http://127.0.0.1:${port}`,
  };
}

// So many options bubblewrap takes, and so long an argument the kernel.
const mostOptions = 8_900;
const mostBytes = 128 * 1024 - 1;

function requireFitting(options: readonly string[], { run }: SandboxedRun): void {
  const words = "argv" in run ? run.argv : [run.command];
  if (words.some((word) => word.includes("\0"))) {
    throw new ToolError("invalid-arguments", "A command can't hold a NUL character. Leave it out.");
  }
  if (words.some((word) => Buffer.byteLength(word) > mostBytes)) {
    throw new ToolError(
      "too-large",
      `The command is longer than ${mostBytes} bytes. Put it into a file and run that.`,
    );
  }
  if (options.length > mostOptions) {
    throw new ToolError("too-large", "There are too many variables or directories for a sandbox.");
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
