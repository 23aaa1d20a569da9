import type { FileRules } from "@haft/core";
import type { LayerSupport } from "../layers/examine-layers.ts";
import type { Layer } from "../layers/layer.ts";
import type { AllowedHost } from "../net/allowed-host.ts";
import type { LaunchPlan } from "./launch-plan.ts";

/** Resource limits of a sandboxed command. */
export interface SandboxLimits {
  /** Processes and threads at a time. */
  readonly processes: number;
  /** Memory, per process. */
  readonly memoryBytes: number;
  /** Size of one file that it writes. */
  readonly fileBytes: number;
  /** Processor time, per process. Default: no limit. */
  readonly cpuSeconds?: number;
}

/** What to run in a sandbox, and what it may touch. Paths are absolute, links resolved. */
export interface SandboxedRun {
  /** A command line for bash, or a program's full path with its arguments. */
  readonly run: { readonly command: string } | { readonly argv: readonly [string, ...string[]] };
  readonly cwd: string;
  /** Scrubbed already. */
  readonly environment: Readonly<Record<string, string>>;
  /** Readable directories, in addition to what every program needs of the system. */
  readonly readable: readonly string[];
  /** Directories that can be written as well. */
  readonly writable: readonly string[];
  /** Directories that appear empty, except for what else is readable in them. Default: none. */
  readonly hidden?: readonly string[];
  /** Rules on files. What they deny is hidden or read-only. Default: none. */
  readonly fileRules?: FileRules | undefined;
  /** Its home, below a directory that it can write. Default: an empty one. */
  readonly home?: string;
  /** The socket of the run's own egress proxy; without it there is no network. */
  readonly egressSocket?: string;
  /** Hosts that a person granted by name: requests to them use the proxy even if they are local. */
  readonly allowedHosts?: readonly AllowedHost[];
  /** A process of `planNetwork`, whose network the run shares instead of having its own. */
  readonly network?: number;
  /**
   * Receives what the command writes to those of its writable directories that the layer covers.
   * Default: it writes to the directories themselves.
   */
  readonly layer?: Layer;
  readonly limits?: Partial<SandboxLimits>;
}

/** A run that is ready to start. */
export interface PreparedRun {
  readonly plan: LaunchPlan;
  /**
   * Call when everything has ended, before the result is returned: removes what a command may not
   * leave behind, such as its own rules, and returns notes on it.
   */
  settle(): Promise<readonly string[]>;
}

/** A way to run programs confined on this machine. */
export interface Sandbox {
  readonly name: "bubblewrap" | "seatbelt";
  /** Where a run's egress socket must be to be reachable. Default: anywhere. */
  readonly sockets?: string;
  prepare(run: SandboxedRun): Promise<PreparedRun>;
  /**
   * A process that only holds a network open, with nothing but a loopback interface. Runs that share
   * it reach each other's ports, once it has printed a line. Absent where runs can't share one.
   */
  planNetwork?(): LaunchPlan;
  /** Whether runs can have a layer of the workspace. Tested on the first call. */
  examineLayers(): Promise<LayerSupport>;
}

/** How the broker must be started so that sandboxes can be launched from it. */
export interface BrokerStart {
  /** What comes before `node broker.js …`: nothing for ordinary users, a program and arguments for root. */
  readonly prefix: readonly string[];
  /** Equal for all contexts that may share one broker. */
  readonly key: string;
}

/** The result of looking for a sandbox on this machine. */
export type SandboxFinding =
  | { readonly sandbox: Sandbox; readonly detail: string }
  | { readonly sandbox: undefined; readonly reason: string; readonly remedy: string };
