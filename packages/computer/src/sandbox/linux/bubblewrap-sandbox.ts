import { randomInt } from "node:crypto";
import { basename, extname } from "node:path";
import { ToolError } from "@haft/contract";
import { isInside, toErrorMessage } from "@haft/contract/internal";
import { compileFileRules } from "@haft/core/internal";
import { missingPerl } from "../../layers/examine-layers.ts";
import type { Layer } from "../../layers/layer.ts";
import { type LayeredProgram, startOnLayer } from "../../layers/start-on-layer.ts";
import { egressEnvironment } from "../../net/egress-environment.ts";
import { findEgressBridge } from "../../net/egress-paths.ts";
import { canListMapped } from "../guard/can-list.ts";
import { Guard } from "../guard/guard.ts";
import { Quarantine } from "../guard/quarantine.ts";
import { settleRun } from "../guard/settle-run.ts";
import type { LaunchDescriptor } from "../launch-plan.ts";
import type { PreparedRun, Sandbox, SandboxedRun, SandboxLimits } from "../sandbox.ts";
import { findExecutable } from "./find-executable.ts";
import { listRunMounts } from "./list-run-mounts.ts";
import type { SocketFile } from "./list-sockets.ts";
import type { Machine } from "./machine.ts";
import type { MountOptions } from "./mount-options.ts";
import { createRootResolver } from "./resolve-roots.ts";
import { makeSandboxEnvironment } from "./sandbox-environment.ts";
import { findSharedNetworks, noSharedNetwork } from "./shared-network.ts";
import { type Supervised, supervise } from "./supervisor.ts";

/** The program that launches sandboxes, and the system call filter in force there. */
export interface Bubblewrap {
  readonly program: string;
  readonly filter: Uint8Array;
}

/** Runs programs in bubblewrap sandboxes. */
export function createBubblewrapSandbox(
  bubblewrap: Bubblewrap,
  machine: Machine,
): Omit<Sandbox, "examineLayers"> {
  const { place, user, shell } = machine;
  const prepared = [...place.roots, ...(place.reads ?? []), machine.files.probe];
  const resolveRoots = createRootResolver(prepared, user);
  const guard = new Guard({
    home: place.home,
    ...(user.isOther && { canList: canListMapped(place) }),
  });
  const quarantine = new Quarantine(place.stateDirectory);
  const networks = findSharedNetworks(bubblewrap.program, place);
  const perl = findExecutable("perl", place);
  const filter: LaunchDescriptor = {
    role: "content",
    base64: Buffer.from(bubblewrap.filter).toString("base64"),
  };

  // Untrusted programs work with their own files: names of secrets or rules mean nothing there.
  const isWatched = (path: string): boolean => !place.isBare || path === machine.files.probe;

  const launchIn = (
    network: number | undefined,
    argv: readonly [string, ...string[]],
  ): readonly [string, ...string[]] => {
    if (network === undefined) return argv;
    if (networks === undefined) throw noSharedNetwork();
    return networks.enter(network, argv);
  };

  const startOn = (
    layer: Layer | undefined,
    { places }: MountOptions,
    program: LayeredProgram,
  ): LayeredProgram => {
    if (layer === undefined) return program;
    if (perl === undefined) {
      throw new ToolError("unavailable", `No layer: ${missingPerl.reason}. ${missingPerl.remedy}`);
    }
    const written = places.filter(({ mode }) => mode === "write");
    return startOnLayer(program, { perl, layer, written });
  };

  const listOwnSockets = async ({ network }: SandboxedRun): Promise<readonly SocketFile[]> =>
    network === undefined || networks === undefined ? [] : networks.listSockets(network);

  const prepare = async (run: SandboxedRun): Promise<PreparedRun> => {
    const roots = resolveRoots(run);
    const { readable, writable, cwd } = roots;
    const watched = { readable: readable.filter(isWatched), writable: writable.filter(isWatched) };
    const denied = run.fileRules && compileFileRules(run.fileRules);
    const guarded = await guard.inspect(watched, {
      cwd,
      denied,
      layered: run.layer?.roots.map(({ path }) => path) ?? [],
      listOwnSockets: () => listOwnSockets(run),
    });
    const egress = describeEgress(run);
    const mounts = listRunMounts(
      { readable, writable, guarded, shown: egress?.shown ?? [], emptied: run.hidden ?? [] },
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
      ...["--uid", `${user.uid}`, "--gid", `${user.gid}`],
      ...mounts.options,
      "--chdir",
      cwd,
      "--clearenv",
      ...Object.entries(environment).flatMap(([name, value]) => ["--setenv", name, value]),
    ];
    requireFitting(options, run);
    const supervised: Supervised = {
      // The last word is `$0`.
      argv:
        "argv" in run.run ? run.run.argv : [shell, "-c", "--", run.run.command, basename(shell)],
      limits: { ...defaultLimits, ...run.limits },
      ...(egress === undefined ? {} : { bridge: egress.bridge }),
    };
    const started = startOn(run.layer, mounts, {
      // Every user of this machine can read a command line, so nothing else is on it.
      argv: [
        bubblewrap.program,
        ...["--args", `${descriptors.args}`, "--", ...supervise(supervised, machine)],
      ],
      descriptors: [
        { role: "report" },
        { role: "content", base64: Buffer.from(options.join("\0")).toString("base64") },
        filter,
        { role: "info" },
        { role: "block" },
        ...mounts.places.map(({ path }): LaunchDescriptor => ({ role: "place", path })),
      ],
    });
    const [program, ...args] = launchIn(run.network, started.argv);
    return {
      plan: {
        program,
        args,
        environment: {},
        cwd: "/",
        descriptors: started.descriptors,
        endsTogether: true,
      },
      settle: async () => {
        try {
          return await settleRun({
            ...{ before: guarded.places, home: place.home, quarantine },
            writable: watched.writable,
            find: (options) =>
              guard.findBelow(watched.writable, { ...options, denied }, guarded.others),
          });
        } catch (error) {
          return [`The files that the command left could not be checked: ${toErrorMessage(error)}`];
        }
      },
    };
  };
  // For root the temporary directory may be closed to the users of sandboxes.
  const sandbox = { name: "bubblewrap", prepare, sockets: machine.files.directory } as const;
  return networks === undefined ? sandbox : { ...sandbox, planNetwork: networks.plan };
}

// In the order of the plan's descriptors. The first is for the supervisor, which reports on 3.
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
  // In a shared network every run has its own proxy.
  const port = network === undefined ? 3128 : randomInt(20_000, 32_000);
  const script = findEgressBridge();
  const inside = {
    socket: "/run/haft/egress.sock",
    // Named so that it is loaded as a module wherever it is.
    script: `/run/haft/egress-bridge.m${extname(script).slice(1)}`,
  };
  return {
    shown: [
      [socket, inside.socket],
      [script, inside.script],
    ],
    bridge: [process.execPath, inside.script, inside.socket, `${port}`],
    proxy: `http://127.0.0.1:${port}`,
  };
}

// Limits of bubblewrap on options, and of the kernel on the length of an argument.
const maxOptions = 8_900;
const maxBytes = 128 * 1024 - 1;

function requireFitting(options: readonly string[], { run }: SandboxedRun): void {
  const words = "argv" in run ? run.argv : [run.command];
  if (words.some((word) => word.includes("\0"))) {
    throw new ToolError("invalid-arguments", "A command can't contain a NUL character. Remove it.");
  }
  if (words.some((word) => Buffer.byteLength(word) > maxBytes)) {
    throw new ToolError(
      "too-large",
      `The command is longer than ${maxBytes} bytes. Write it to a file and run that.`,
    );
  }
  if (options.length > maxOptions) {
    throw new ToolError("too-large", "There are too many variables or directories for a sandbox.");
  }
}
