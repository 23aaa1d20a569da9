import type { Grant, PrepareEnvironment, RuntimeHost, RuntimeSession, Tool } from "@haft/contract";
import type { Clock } from "../clock.ts";
import type { Computer } from "../computer.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { Events } from "../events/events.ts";
import type { Host } from "../hosts/host.ts";
import type { Recorder } from "../recorder/recorder.ts";
import type { Registry } from "../registry/registry.ts";
import type { Ruleset } from "../rules/ruleset.ts";
import type { Deadlines } from "../schedule/deadlines.ts";
import type { FileLocks } from "../schedule/file-locks.ts";
import type { CallQueue } from "../schedule/queue.ts";
import type { Manifest, Watchdog } from "../session/session-options.ts";
import type { SessionStorage } from "../session/session-storage.ts";
import type { Snapshot } from "../session/snapshot.ts";
import type { Call } from "./call.ts";

/** What every step of the path may know of the session the call belongs to. */
export interface CallContext {
  readonly registry: Registry;
  readonly dialect: Dialect;
  readonly computer: Computer;
  readonly storage: SessionStorage;
  readonly host: Host;
  readonly manifest: Manifest;
  readonly watchdog: Watchdog | undefined;
  readonly recorder: Recorder;
  readonly events: Events;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly queue: CallQueue<Call>;
  readonly fileLocks: FileLocks;
  readonly prepareEnvironment: PrepareEnvironment;
  readonly runtimeSession: RuntimeSession;
  readonly runtimeHost: (signal: AbortSignal) => RuntimeHost;
  /** The tools of the present turn. */
  snapshot(): Snapshot;
  /** What the tool may touch in the present turn. */
  grantOf(tool: Tool): Grant;
  /** The rules as they stand now. */
  rules(): Ruleset;
  /** Makes the next call see rules that were just stored. */
  rulesChanged(): void;
}
