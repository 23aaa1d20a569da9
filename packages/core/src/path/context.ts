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
import type { ToolNames } from "../dialects/tool-names.ts";
import type { Events } from "../events/events.ts";
import type { SessionHooks } from "../hooks/session-hooks.ts";
import type { Host } from "../hosts/host.ts";
import type { Recorder } from "../recorder/recorder.ts";
import type { Registry } from "../registry/registry.ts";
import type { Rule, RuleScope } from "../rules/rule.ts";
import type { Ruleset } from "../rules/ruleset.ts";
import type { Deadlines } from "../schedule/deadlines.ts";
import type { FileLocks } from "../schedule/file-locks.ts";
import type { CallQueue } from "../schedule/queue.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { BackgroundRuns } from "../session/background-runs.ts";
import type { ChangeOwner, Journal } from "../session/journal.ts";
import type { Manifest } from "../session/manifest.ts";
import type { ReviewMode } from "../session/session-options.ts";
import type { SessionStorage, StoredRules } from "../session/session-storage.ts";
import type { ShownTool } from "../session/shown-tools.ts";
import type { Snapshot } from "../session/snapshot.ts";
import type { EarlierCalls } from "../watchdog/earlier-calls.ts";
import type { Watchdog } from "../watchdog/watchdog.ts";
import type { Call } from "./call.ts";

/** The session of a call, for the checks on its path. */
export interface CallContext {
  readonly registry: Registry;
  readonly dialect: Dialect;
  readonly computer: Computer;
  readonly storage: SessionStorage;
  /** Where "always" answers are stored. */
  readonly stored: StoredRules;
  readonly journal: Journal;
  /** The parent session's call that owns all changes, if there is one. */
  readonly changesOf: ChangeOwner | undefined;
  readonly host: Host;
  readonly review: ReviewMode;
  readonly hooks: SessionHooks | undefined;
  /** The manifest of the agent in the current step. */
  manifest(): Manifest;
  readonly watchdog: Watchdog | undefined;
  /** The earlier calls, for the watchdog. */
  readonly earlier: EarlierCalls;
  readonly secrets: Secrets;
  readonly recorder: Recorder;
  readonly events: Events;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly queue: CallQueue<Call>;
  readonly fileLocks: FileLocks;
  readonly background: BackgroundRuns;
  /** What happens to commands at their time limit by default. */
  readonly onTimeout: "background" | "stop";
  readonly prepareEnvironment: PrepareEnvironment;
  readonly runtimeSession: RuntimeSession;
  readonly runtimeHost: (call: Call) => RuntimeHost;
  /** The tools that are not built in. */
  readonly catalog: ToolCatalog;
  /** The tools of the current step. */
  snapshot(): Snapshot;
  /** The names of the current step's native tools, for texts. */
  toolNames(): ToolNames;
  /** Returns tools as the model sees them. */
  showTools(tools: Iterable<Tool>): ShownTool[];
  /** The tool's grant in the current step. */
  grantOf(tool: Tool): Grant;
  /** The current rules. */
  rules(): Ruleset;
  /** The current rules with additional ones. */
  rulesWith(rules: readonly Rule[], scope: RuleScope): Ruleset;
  /** Returns the rules of one origin alone. */
  rulesOf(scope: RuleScope): Ruleset;
  /** Reloads the stored rules before the next call. */
  rulesChanged(): void;
}
