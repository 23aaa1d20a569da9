import { compileRequirements, type Isolation, ToolError } from "@haft/contract";
import type { FileRules } from "@haft/core";
import { type Broker, sharedBroker } from "../broker/broker.ts";
import type { Layer } from "../layers/layer.ts";
import type { AllowedHost } from "../net/allowed-host.ts";
import type { Egress } from "../net/egress.ts";
import { egressEnvironment } from "../net/egress-environment.ts";
import { listPathDirectories } from "../paths/find-on-path.ts";
import type { LaunchPlan } from "../sandbox/launch-plan.ts";
import type { Sandbox, SandboxedRun, SandboxLimits } from "../sandbox/sandbox.ts";
import type { SandboxContext } from "../sandbox/sandbox-context.ts";
import { findProgram } from "./find-program.ts";
import { findSandbox } from "./find-sandbox.ts";
import type { GrantedAccess } from "./granted-access.ts";

/** Whether programs run in a sandbox. */
export type SandboxMode = "required" | "auto" | "off";

/** How the programs of a computer are sandboxed. It is JSON, because other processes receive it too. */
export interface Confinement {
  readonly mode: SandboxMode;
  readonly place: SandboxContext;
  readonly allowedHosts: readonly AllowedHost[];
}

/** What to run, and what it may touch. JSON as well. */
export interface RunRequest extends GrantedAccess {
  readonly run: SandboxedRun["run"];
  readonly cwd: string;
  /** See `SandboxedRun`. */
  readonly fileRules?: FileRules | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether hosts are limited without a sandbox too, as far as programs use a proxy. */
  readonly usesProxy: boolean;
  /** Refuses private addresses even for hosts that are allowed by name. */
  readonly onlyPublic?: boolean;
  /** See `ProgramStart`. */
  readonly refusal?: string;
  /** Its home directory, below a writable directory; see `SandboxedRun`. */
  readonly home?: string;
  /** See `SandboxedRun`. */
  readonly limits?: Partial<SandboxLimits>;
  /** The process whose network a sandboxed run shares. Default: its own network. */
  readonly network?: number;
  /** See `SandboxedRun`. Without a sandbox there are no layers. */
  readonly layer?: Layer;
}

/** Prepares runs with or without a sandbox. */
export interface Confiner {
  readonly isolation: Isolation;
  /** Why there is no sandbox, where one was wanted. */
  readonly warning?: string;
  readonly broker: Broker;
  /** Prepares a run. */
  prepare(request: RunRequest): Promise<ReadyRun>;
  /** Whether runs can have a layer. */
  canLayer(): Promise<boolean>;
  /** Opens a network for several runs; absent where they share one anyway, or can't. */
  openNetwork?(): Promise<SharedNetwork>;
}

/** A network that several runs share. */
export interface SharedNetwork {
  /** What a `RunRequest` must name to join it. */
  readonly process: number;
  /** Closes it; runs in it go on, and no more can join. */
  close(): void;
}

/** A run that is ready to be launched. */
export interface ReadyRun {
  readonly plan: LaunchPlan;
  /** Refused hosts that it tried to reach. */
  refusedHosts(): readonly string[];
  /** Whether its egress proxy keeps this process alive. Default: yes. */
  keepAlive(isNeeded: boolean): void;
  /** Call when all of it has ended. Returns what was removed again. */
  settle(): Promise<readonly string[]>;
  /** Call at the end in any case. */
  close(): Promise<void>;
}

/** Returns what to warn about, if rules on files don't hold for a run. */
export function warnOfRules(
  { isolation }: Pick<Confiner, "isolation">,
  fileRules: FileRules | undefined,
): string | undefined {
  if (isolation === "sandbox" || fileRules === undefined) return undefined;
  return "Without a sandbox, programs can read and change files that rules deny.";
}

/** Finds the sandbox; throws if there is none although it is required. */
export async function findConfiner(
  { mode, place, allowedHosts }: Confinement,
  find: typeof findSandbox = findSandbox,
): Promise<Confiner> {
  if (mode === "off") return unconfined(allowedHosts);
  const { finding, broker } = await find(place);
  if (finding.sandbox !== undefined) {
    return sandboxed(finding.sandbox, { broker, allowedHosts });
  }
  const why = `${finding.reason}. ${finding.remedy}`;
  if (mode === "auto") return { ...unconfined(allowedHosts), warning: `No sandbox: ${why}` };
  throw new ToolError(
    "unavailable",
    `Programs must run in a sandbox, and none is available: ${why} To run without one, use --sandbox=off.`,
  );
}

function sandboxed(
  sandbox: Sandbox,
  { broker, allowedHosts }: Pick<Confiner, "broker"> & Pick<Confinement, "allowedHosts">,
): Confiner {
  return {
    isolation: "sandbox",
    broker,
    canLayer: async () => (await sandbox.examineLayers()).isAvailable,
    prepare: async ({ usesProxy: _, hosts, onlyPublic, refusal, ...run }) => {
      const out = { hosts, allowedHosts, onlyPublic, refusal };
      const egress = hosts.length === 0 ? undefined : await openWayOut(out, sandbox.sockets);
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
    canLayer: async () => false,
    prepare: async ({ run, cwd, environment, hosts, usesProxy, onlyPublic, refusal }) => {
      const [program, ...args] = "argv" in run ? run.argv : toArguments(run.command, environment);
      const out = { hosts, allowedHosts, onlyPublic, refusal };
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
  const directories = listPathDirectories(PATH);
  const shell = findProgram("bash", directories) ?? findProgram("sh", directories);
  if (shell !== undefined) return [shell, "-c", "--", command];
  throw new ToolError(
    "unavailable",
    "Commands need bash or sh, and neither is on the PATH. Install bash.",
  );
}

async function openWayOut(
  {
    hosts,
    ...policy
  }: {
    readonly hosts: readonly string[];
    readonly allowedHosts: readonly AllowedHost[];
    readonly onlyPublic: boolean | undefined;
    readonly refusal: string | undefined;
  },
  sockets?: string,
): Promise<Egress> {
  // Loaded on first use: Node's HTTP module is slow to load, and most runs need no network.
  const { openEgress } = await import("../net/egress.ts");
  return openEgress({ ...policy, grant: compileRequirements({ net: { hosts } }, {}) }, sockets);
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
