import type { RequirementSet } from "@haft/contract";
import type { Clock } from "../clock.ts";
import type { Computer } from "../computer.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { SessionHooks } from "../hooks/session-hooks.ts";
import type { Host } from "../hosts/host.ts";
import type { Recorder } from "../recorder/recorder.ts";
import type { Registry } from "../registry/registry.ts";
import type { Rule } from "../rules/rule.ts";
import type { Tracing } from "../tracing/tracing.ts";
import type { Watchdog } from "../watchdog/watchdog.ts";
import type { ChangeOwner } from "./journal.ts";
import type { SessionBounds } from "./session-bounds.ts";
import type { SessionRole } from "./session-role.ts";

/**
 * How commands are judged that no rule decides about. `effects`: where a layer is available they run
 * there, and what they changed is judged by the rules on writing files. `words`: a person is asked
 * before they run. `off`: as `effects`, but everything is applied that no rule denies.
 */
export type ReviewMode = "effects" | "words" | "off";

/** The options of a session. */
export interface SessionOptions extends SessionRole {
  readonly registry: Registry;
  readonly computer: Computer;
  /** The host that asks a person. Default: `headlessHost`. */
  readonly host?: Host;
  /** Default: `default`. The same name on the same computer is the same session. */
  readonly name?: string;
  readonly dialect?: Dialect;
  /** Rules for this run, in addition to the stored ones. */
  readonly rules?: readonly Rule[];
  /** The maximum that tools may touch, whatever they declare. */
  readonly ceiling?: RequirementSet;
  /** The parent session's bounds, which no tool, rule or answer of this session exceeds. */
  readonly parent?: SessionBounds;
  /** The parent's call that owns all changes of this session, so that they are undone together. */
  readonly changesOf?: ChangeOwner;
  /** Default: `createWatchdog()`. */
  readonly watchdog?: Watchdog | "off";
  /** Hooks around calls and turns. Default: those of the parent session. */
  readonly hooks?: SessionHooks | undefined;
  /** How commands are judged that no rule decides about. Default: `effects`. */
  readonly review?: ReviewMode;
  /** Secret values by name, in addition to the computer's. */
  readonly secrets?: Readonly<Record<string, string>>;
  /**
   * Maximum number of tokens, as estimated, that the definitions of all tools may take. Where they take
   * more, of the tools that are not built in the model sees only those that the session has called and
   * those it searches for. Default: 8,000. Without `tool_search`, all tools are shown.
   */
  readonly maxDefinitionTokens?: number | undefined;
  /**
   * What happens to a command that reaches its time limit, unless its call says otherwise: it goes on in
   * the background until it ends or the session does, or it is stopped. Default: `"stop"`.
   */
  readonly onTimeout?: "background" | "stop";
  /** Default: a recorder in memory. */
  readonly recorder?: Recorder;
  /** Receives a span of each call. Default: none are made. */
  readonly tracing?: Tracing | undefined;
  readonly clock?: Clock;
}
