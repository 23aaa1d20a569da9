export { type Clock, systemClock, type Timer } from "./clock.ts";
export type { CallScope, Computer, Release } from "./computer.ts";
export { amp } from "./dialects/amp/amp.ts";
export {
  type AmpError,
  type AmpResult,
  fromAmpResult,
  toAmpResult,
} from "./dialects/amp/amp-result.ts";
export type { Dialect, DialectAlias } from "./dialects/dialect.ts";
export { portable } from "./dialects/portable.ts";
export type { CallEvent, EventMap, Listener } from "./events/events.ts";
export { headlessHost } from "./hosts/headless-host.ts";
export type { AskAnswer, AskRequest, Host } from "./hosts/host.ts";
export { createScriptedHost, type HostScript, type ScriptedHost } from "./hosts/scripted-host.ts";
export type { CallOutcome, CallRequest } from "./path/call.ts";
export { createMemoryRecorder } from "./recorder/memory-recorder.ts";
export { type CallRecord, type Recorder, recordingVersion } from "./recorder/recorder.ts";
export { createReplay, type Replay } from "./recorder/replay.ts";
export { createRegistry, type Registry } from "./registry/registry.ts";
export { defaultRules } from "./rules/default-rules.ts";
export {
  formatRule,
  parseRule,
  type Rule,
  type RuleAction,
  type RuleScope,
} from "./rules/rule.ts";
export type { FileChange, Journal, Recording } from "./session/journal.ts";
export type { Mode } from "./session/mode.ts";
export type { Plan, PlannedCall } from "./session/plan.ts";
export { createSession, type Session } from "./session/session.ts";
export type {
  Manifest,
  SessionOptions,
  Watchdog,
  WatchdogCall,
  WatchdogVerdict,
} from "./session/session-options.ts";
export type { SessionStorage, Sidecars, StoredRules } from "./session/session-storage.ts";
export type { ShownTool } from "./session/shown-tools.ts";
