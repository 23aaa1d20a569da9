import type { RequirementSet } from "@haft/contract";
import type { Clock } from "../clock.ts";
import type { Computer } from "../computer.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { Host } from "../hosts/host.ts";
import type { Recorder } from "../recorder/recorder.ts";
import type { Registry } from "../registry/registry.ts";
import type { Rule } from "../rules/rule.ts";
import type { Watchdog } from "../watchdog/watchdog.ts";
import type { ChangeOwner } from "./journal.ts";
import type { SessionBounds } from "./session-bounds.ts";
import type { SessionRole } from "./session-role.ts";

/** What a session is made of. */
export interface SessionOptions extends SessionRole {
  readonly registry: Registry;
  readonly computer: Computer;
  /** Whom to ask. Nobody unless said. */
  readonly host?: Host;
  /** `default` unless said. The same name on the same computer is the same session. */
  readonly name?: string;
  readonly dialect?: Dialect;
  /** Rules for this run, beside those that are stored. */
  readonly rules?: readonly Rule[];
  /** The most that tools may touch, whatever they declare. */
  readonly ceiling?: RequirementSet;
  /** A parent session's bounds, which no tool, rule or answer of this one goes beyond. */
  readonly parent?: SessionBounds;
  /** The parent's call that all changes of this session are counted to, so that they are taken back as one. */
  readonly changesOf?: ChangeOwner;
  /** Haft's own, `createWatchdog()`, unless said. */
  readonly watchdog?: Watchdog | "off";
  /** Values that nobody is to see, by name, beside those that the computer knows of. */
  readonly secrets?: Readonly<Record<string, string>>;
  /**
   * Past how many tools from elsewhere a model is shown none of them but what it searched for; 20
   * unless said. Without `tool_search` among the tools all are shown.
   */
  readonly deferAbove?: number;
  /** In memory unless said. */
  readonly recorder?: Recorder;
  readonly clock?: Clock;
}
