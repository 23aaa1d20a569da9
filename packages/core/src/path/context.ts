import type {
  Grant,
  PrepareEnvironment,
  RuntimeHost,
  RuntimeSession,
  Tool,
  ToolCatalog,
} from "@haft/contract";
import type { Clock } from "../clock.ts";
import type { Computer } from "../computer.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { Events } from "../events/events.ts";
import type { Host } from "../hosts/host.ts";
import type { Recorder } from "../recorder/recorder.ts";
import type { Registry } from "../registry/registry.ts";
import type { Rule, RuleScope } from "../rules/rule.ts";
import type { Ruleset } from "../rules/ruleset.ts";
import type { Deadlines } from "../schedule/deadlines.ts";
import type { FileLocks } from "../schedule/file-locks.ts";
import type { CallQueue } from "../schedule/queue.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { ChangeOwner, Journal } from "../session/journal.ts";
import type { Manifest } from "../session/manifest.ts";
import type { SessionStorage, StoredRules } from "../session/session-storage.ts";
import type { Snapshot } from "../session/snapshot.ts";
import type { EarlierCalls } from "../watchdog/earlier-calls.ts";
import type { Watchdog } from "../watchdog/watchdog.ts";
import type { Call } from "./call.ts";

/** What every step of the path may know of the session the call belongs to. */
export interface CallContext {
  readonly registry: Registry;
  readonly dialect: Dialect;
  readonly computer: Computer;
  readonly storage: SessionStorage;
  /** Where "always" is kept. */
  readonly stored: StoredRules;
  readonly journal: Journal;
  /** The call of a parent session that all changes are counted to, if there is one. */
  readonly changesOf: ChangeOwner | undefined;
  readonly host: Host;
  /** What the agent of the present turn declares about itself. */
  manifest(): Manifest;
  readonly watchdog: Watchdog | undefined;
  /** What the watchdog can look back on. */
  readonly earlier: EarlierCalls;
  readonly secrets: Secrets;
  readonly recorder: Recorder;
  readonly events: Events;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly queue: CallQueue<Call>;
  readonly fileLocks: FileLocks;
  readonly prepareEnvironment: PrepareEnvironment;
  readonly runtimeSession: RuntimeSession;
  readonly runtimeHost: (call: Call) => RuntimeHost;
  /** The tools from elsewhere. */
  readonly catalog: ToolCatalog;
  /** The tools of the present turn. */
  snapshot(): Snapshot;
  /** What the tool may touch in the present turn. */
  grantOf(tool: Tool): Grant;
  /** The rules as they stand now. */
  rules(): Ruleset;
  /** The rules as they would be with these beside them. */
  rulesWith(rules: readonly Rule[], scope: RuleScope): Ruleset;
  /** Makes the next call see rules that were just stored. */
  rulesChanged(): void;
}
