export { type Clock, systemClock, type Timer } from "./clock.ts";
export {
  type CommandEffect,
  type CommandReading,
  type CommandRisk,
  type ReadCommand,
  type ReadWord,
  type ReadWrite,
  unreadCommand,
} from "./commands/command-reading.ts";
export { findUngranted } from "./commands/find-ungranted.ts";
export type { CallScope, Computer, Release, RunScope } from "./computer.ts";
export { amp } from "./dialects/amp/amp.ts";
export {
  type AmpError,
  type AmpResult,
  fromAmpResult,
  toAmpResult,
} from "./dialects/amp/amp-result.ts";
export { claude } from "./dialects/claude/claude.ts";
export { codex } from "./dialects/codex/codex.ts";
export type { Dialect, DialectAlias, ResultEnvironment } from "./dialects/dialect.ts";
export { gemini } from "./dialects/gemini/gemini.ts";
export { portable } from "./dialects/portable.ts";
export type { CallEvent, EventMap, Listener } from "./events/events.ts";
export { headlessHost } from "./hosts/headless-host.ts";
export type {
  AskAnswer,
  AskRequest,
  Host,
  QuestionRequest,
  RulePreview,
} from "./hosts/host.ts";
export { createScriptedHost, type HostScript, type ScriptedHost } from "./hosts/scripted-host.ts";
export { showArguments } from "./hosts/show-arguments.ts";
export { toVisibleJson, toVisibleLine, toVisibleText } from "./hosts/visible-text.ts";
export type { CallOutcome, CallRequest } from "./path/call.ts";
export { untilAborted } from "./path/until-aborted.ts";
export { createMemoryRecorder } from "./recorder/memory-recorder.ts";
export {
  type CallRecord,
  type RecentCall,
  type Recorder,
  recordingVersion,
} from "./recorder/recorder.ts";
export { createReplay, type Replay } from "./recorder/replay.ts";
export { nearestNames } from "./registry/nearest-names.ts";
export { createRegistry, type Registry } from "./registry/registry.ts";
export type { ScopedRule } from "./rules/compile-rule.ts";
export { defaultRules } from "./rules/default-rules.ts";
export { fromAmpPermissions } from "./rules/import/from-amp-permissions.ts";
export { fromClaudePermissions } from "./rules/import/from-claude-permissions.ts";
export type { ImportedRules, ImportRemark } from "./rules/import/imported-rules.ts";
export { parseCommentedJson } from "./rules/import/parse-commented-json.ts";
export type { ImportPlace } from "./rules/import/place-rule.ts";
export {
  formatRule,
  parseRule,
  type Rule,
  type RuleAction,
  type RuleScope,
} from "./rules/rule.ts";
export type { SecretPlace } from "./secrets/placeholders.ts";
export type { SecretFilter } from "./secrets/secret-filter.ts";
export { createSecrets, type Secrets } from "./secrets/secrets.ts";
export type { ChangeOwner, FileChange, Journal, Recording } from "./session/journal.ts";
export type { Judgement, JudgementLayer } from "./session/judge-call.ts";
export type { Manifest } from "./session/manifest.ts";
export type { Mode } from "./session/mode.ts";
export type { Plan, PlannedCall } from "./session/plan.ts";
export { type BatchOptions, createSession, type Session } from "./session/session.ts";
export type { SessionBounds } from "./session/session-bounds.ts";
export type { SessionOptions } from "./session/session-options.ts";
export type { SessionRole } from "./session/session-role.ts";
export type {
  SessionStorage,
  Sidecars,
  SidecarWriter,
  StoredRules,
} from "./session/session-storage.ts";
export type { ShownTool } from "./session/shown-tools.ts";
export { combineWatchdogs } from "./watchdog/combine-watchdogs.ts";
export {
  createWatchdog,
  type WatchdogOptions,
  type WatchdogRuleName,
} from "./watchdog/create-watchdog.ts";
export type { EarlierCall, Watchdog, WatchdogCall, WatchdogVerdict } from "./watchdog/watchdog.ts";
