import type { AllowedHost } from "../net/allowed-host.ts";
import type { LaunchPlan } from "./launch-plan.ts";

/** How much a sandboxed command may use. */
export interface SandboxLimits {
  /** Processes and threads at a time. */
  readonly processes: number;
  /** Of memory, per process. */
  readonly memoryBytes: number;
  /** Of one file that it writes. */
  readonly fileBytes: number;
  /** Of processor time, per process; no limit unless said. */
  readonly cpuSeconds?: number;
}

/** What is to run in a sandbox, and what it may touch. Paths are absolute, links resolved. */
export interface SandboxedRun {
  /** A command line for bash, or a program in full with its arguments. */
  readonly run: { readonly command: string } | { readonly argv: readonly [string, ...string[]] };
  readonly cwd: string;
  /** Scrubbed already. */
  readonly environment: Readonly<Record<string, string>>;
  /** Directories that can be read, beside what every program needs of the system. */
  readonly readable: readonly string[];
  /** Directories that can be written as well. */
  readonly writable: readonly string[];
  /** The home it is to have, below a directory that it can write; an empty one unless said. */
  readonly home?: string;
  /** The socket of the run's own egress proxy; without it there is no network at all. */
  readonly egressSocket?: string;
  /** Hosts that a person granted by name: the proxy is asked for these even if they are local. */
  readonly allowedHosts?: readonly AllowedHost[];
  /** A process of `planNetwork`, whose network the run shares instead of having its own. */
  readonly network?: number;
  readonly limits?: Partial<SandboxLimits>;
}

/** A run made ready. */
export interface PreparedRun {
  readonly plan: LaunchPlan;
  /**
   * To be called when everything has ended, before its result is told: takes away what a command may
   * not leave behind, such as rules of its own, and says so.
   */
  settle(): Promise<readonly string[]>;
}

/** What confines programs on this machine. */
export interface Sandbox {
  readonly name: "bubblewrap" | "seatbelt";
  prepare(run: SandboxedRun): Promise<PreparedRun>;
  /**
   * A process that does nothing but hold a network of its own, in which there is only this machine's
   * loopback. Runs that share it reach each other's ports, once it has printed a line. Absent where
   * runs can't.
   */
  planNetwork?(): LaunchPlan;
}

/** How the broker must be started so that sandboxes can be launched from it. */
export interface BrokerStart {
  /** What comes before `node broker.js …`: nothing for ordinary users, a program and arguments for root. */
  readonly prefix: readonly string[];
  /** Equal for all that may share one broker. */
  readonly key: string;
}

/** What was found out about sandboxing on this machine. */
export type SandboxFinding =
  | { readonly sandbox: Sandbox; readonly detail: string }
  | { readonly sandbox: undefined; readonly reason: string; readonly remedy: string };
