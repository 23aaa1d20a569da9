import type { Grant, JsonValue, RequirementSet } from "@haft/contract";
import type { Clock } from "../clock.ts";
import type { Computer } from "../computer.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { Host } from "../hosts/host.ts";
import type { Recorder } from "../recorder/recorder.ts";
import type { Registry } from "../registry/registry.ts";
import type { Rule } from "../rules/rule.ts";
import type { Mode } from "./mode.ts";

/** What an agent declares about itself. */
export interface Manifest {
  readonly name?: string;
  readonly requires?: RequirementSet;
  /** Rules no session or project can soften where they deny. */
  readonly rules?: readonly Rule[];
}

/** What the watchdog is shown of a call. */
export interface WatchdogCall {
  readonly session: string;
  readonly callId: string;
  readonly tool: string;
  readonly arguments: JsonValue;
  readonly manifest: Manifest;
}

/** What the watchdog says. */
export type WatchdogVerdict =
  | { readonly action: "allow" }
  | { readonly action: "ask" | "deny"; readonly reason: string };

/** The host's own look at every call before it runs. What it throws counts as a deny. */
export type Watchdog = (call: WatchdogCall) => WatchdogVerdict | Promise<WatchdogVerdict>;

/** What a session is made of. */
export interface SessionOptions {
  readonly registry: Registry;
  readonly computer: Computer;
  /** Whom to ask. Nobody unless said. */
  readonly host?: Host;
  /** `default` unless said. The same name on the same computer is the same session. */
  readonly name?: string;
  readonly dialect?: Dialect;
  readonly mode?: Mode;
  readonly manifest?: Manifest;
  /** Rules for this run, beside those that are stored. */
  readonly rules?: readonly Rule[];
  /** The most that tools may touch, whatever they declare. */
  readonly ceiling?: RequirementSet;
  /** A parent session's grant, which bounds this one's. */
  readonly parentGrant?: Grant;
  readonly watchdog?: Watchdog;
  /** In memory unless said. */
  readonly recorder?: Recorder;
  readonly clock?: Clock;
}
