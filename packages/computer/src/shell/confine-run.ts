import { compileRequirements, type Isolation, ToolError } from "@haft/contract";
import { type Broker, sharedBroker } from "../broker/broker.ts";
import type { AllowedHost } from "../net/allowed-host.ts";
import type { Egress } from "../net/egress.ts";
import { egressEnvironment } from "../net/egress-environment.ts";
import type { LaunchPlan } from "../sandbox/launch-plan.ts";
import type { Sandbox, SandboxedRun, SandboxLimits } from "../sandbox/sandbox.ts";
import type { SandboxPlace } from "../sandbox/sandbox-place.ts";
import { findProgram, systemDirectories } from "./find-program.ts";
import { findSandbox } from "./find-sandbox.ts";
import type { GrantedPlaces } from "./granted-places.ts";

/** How much programs are to be confined. */
export type SandboxMode = "required" | "auto" | "off";

/** How the programs of a computer are confined. It is JSON: other processes are told of it too. */
export interface Confinement {
  readonly mode: SandboxMode;
  readonly place: SandboxPlace;
  readonly allowedHosts: readonly AllowedHost[];
}

/** What is to run, and what it may touch. It is JSON as well. */
export interface RunRequest extends GrantedPlaces {
  readonly run: SandboxedRun["run"];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether hosts are kept to without a sandbox too, as far as programs use a proxy. */
  readonly usesProxy: boolean;
  /** Whether private addresses are not reached even of hosts that are allowed by name. */
  readonly onlyPublic?: boolean;
  /** The home that it is to have, below a writable directory; see `SandboxedRun`. */
  readonly home?: string;
  /** See `SandboxedRun`. */
  readonly limits?: Partial<SandboxLimits>;
  /** The process whose network a sandboxed run shares; it has its own unless said. */
  readonly network?: number;
}

/** What confines a run. */
export interface Confiner {
  readonly isolation: Isolation;
  /** Why there is no sandbox, where one was wanted. */
  readonly warning?: string;
  readonly broker: Broker;
  /** Makes a run ready. */
  prepare(request: RunRequest): Promise<ReadyRun>;
  /** Opens a network for several runs; absent where they share one anyway, or can't. */
  openNetwork?(): Promise<SharedNetwork>;
}

/** A network of several runs' own. */
export interface SharedNetwork {
  /** What a `RunRequest` has to name to be in it. */
  readonly process: number;
  /** Ends it; what runs in it goes on with nobody else joining. */
  close(): void;
}

/** A run that is ready to be launched. */
export interface ReadyRun {
  readonly plan: LaunchPlan;
  /** The hosts that it tried to reach and may not. */
  refusedHosts(): readonly string[];
  /** Whether this process stays for what leads it out: yes unless said. */
  keepAlive(isNeeded: boolean): void;
  /** To be called when all of it has ended: what was taken away again. */
  settle(): Promise<readonly string[]>;
  /** To be called at the end in any case. */
  close(): Promise<void>;
}

/** Finds what confines programs, or refuses if that is nothing though it is required. */
export async function findConfiner(
  { mode, place, allowedHosts }: Confinement,
  find: typeof findSandbox = findSandbox,
): Promise<Confiner> {
  if (mode === "off") return unconfined(allowedHosts);
  const { finding, broker } = await find(place);
  if (finding.sandbox !== undefined) return sandboxed(finding.sandbox, broker, allowedHosts);
  const why = `${finding.reason}. ${finding.remedy}`;
  if (mode === "auto") return { ...unconfined(allowedHosts), warning: `No sandbox: ${why}` };
  throw new ToolError(
    "unavailable",
    `Programs run in a sandbox only, and there is none: ${why} Or give up the sandbox with --sandbox=off.`,
  );
}

function sandboxed(
  sandbox: Sandbox,
  broker: Broker,
  allowedHosts: readonly AllowedHost[],
): Confiner {
  return {
    isolation: "sandbox",
    broker,
    prepare: async ({ usesProxy: _, hosts, onlyPublic, ...run }) => {
      const out = { hosts, allowedHosts, onlyPublic };
      const egress = hosts.length === 0 ? undefined : await openWayOut(out);
      const way = egress === undefined ? {} : { egressSocket: egress.socketPath, allowedHosts };
      try {
        const { plan, settle } = await sandbox.prepare({ ...run, ...way });
        return { plan, settle, ...closing(egress) };
      } catch (error) {
        await egress?.close();
        throw error;
      }
    },
    ...(sandbox.planNetwork !== undefined && {
      openNetwork: () => openNetwork((sandbox as Required<Sandbox>).planNetwork(), broker),
    }),
  };
}

/** Opens a network by its plan, and waits until it can be joined. */
export async function openNetwork(plan: LaunchPlan, broker: Broker): Promise<SharedNetwork> {
  const ready = Promise.withResolvers<void>();
  const launched = await broker.launch(plan, {
    output: () => {
      ready.resolve();
      return undefined;
    },
  });
  const process = await launched.contained;
  await Promise.race([ready.promise, launched.exited]);
  launched.keepAlive(false);
  return { process, close: () => launched.kill() };
}

function unconfined(allowedHosts: readonly AllowedHost[]): Confiner {
  return {
    isolation: "none",
    broker: sharedBroker({ prefix: [], key: "" }),
    prepare: async ({ run, cwd, environment, hosts, usesProxy, onlyPublic }) => {
      const [program, ...args] = "argv" in run ? run.argv : toArguments(run.command, environment);
      const out = { hosts, allowedHosts, onlyPublic };
      const egress = usesProxy ? await openWayOut(out) : undefined;
      const proxy =
        egress === undefined ? {} : egressEnvironment(await egress.openPort(), allowedHosts);
      return {
        plan: {
          program,
          args,
          cwd,
          environment: { ...environment, ...proxy },
          descriptors: [],
          endsTogether: false,
        },
        settle: async () => [],
        ...closing(egress),
      };
    },
  };
}

function toArguments(
  command: string,
  { PATH }: Readonly<Record<string, string>>,
): readonly [string, ...string[]] {
  const bash = findProgram("bash", systemDirectories(PATH));
  if (bash !== undefined) return [bash, "-c", "--", command];
  throw new ToolError(
    "unavailable",
    "Commands need bash, which is not installed, or not on the search path. Install it.",
  );
}

async function openWayOut({
  hosts,
  ...policy
}: {
  readonly hosts: readonly string[];
  readonly allowedHosts: readonly AllowedHost[];
  readonly onlyPublic: boolean | undefined;
}): Promise<Egress> {
  // Loaded when used: Node's own HTTP takes long, and most runs reach nobody.
  const { openEgress } = await import("../net/egress.ts");
  return openEgress({ ...policy, grant: compileRequirements({ net: { hosts } }, {}) });
}

function closing(
  egress: Egress | undefined,
): Pick<ReadyRun, "refusedHosts" | "keepAlive" | "close"> {
  return {
    keepAlive: (isNeeded) => egress?.keepAlive(isNeeded),
    refusedHosts: () => egress?.refused() ?? [],
    close: async () => egress?.close(),
  };
}
