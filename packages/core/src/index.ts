export type { Clock, Timer } from "./clock.ts";
export type {
  CommandEffect,
  CommandReading,
  CommandRisk,
  ReadCommand,
  ReadWord,
  ReadWrite,
} from "./commands/command-reading.ts";
export type {
  CallScope,
  Computer,
  EffectReview,
  LayerEffect,
  Release,
  RunScope,
} from "./computer.ts";
export { amp } from "./dialects/amp/amp.ts";
export type { AmpError, AmpResult } from "./dialects/amp/amp-result.ts";
export { type AmpTool, fromAmpTool } from "./dialects/amp/from-amp-tool.ts";
export { claude } from "./dialects/claude/claude.ts";
export { codex } from "./dialects/codex/codex.ts";
export type { Dialect, DialectAlias, Freeform, ResultEnvironment } from "./dialects/dialect.ts";
export { gemini } from "./dialects/gemini/gemini.ts";
export type { CallEvent, EventMap, Listener } from "./events/events.ts";
export type {
  HookedCall,
  HookedEnd,
  HookedPrompt,
  HookedResult,
  HookedStop,
  HookedTurn,
  HookVerdict,
  SessionHooks,
} from "./hooks/session-hooks.ts";
export { headlessHost } from "./hosts/headless-host.ts";
export type {
  AskAnswer,
  AskEffects,
  AskedChange,
  AskingProgram,
  AskRequest,
  FileVersion,
  Host,
  QuestionFacts,
  QuestionRequest,
  RulePreview,
  WaitingFacts,
} from "./hosts/host.ts";
export { createScriptedHost, type HostScript, type ScriptedHost } from "./hosts/scripted-host.ts";
export type { CallOutcome, CallRequest } from "./path/call.ts";
export { createMemoryRecorder } from "./recorder/memory-recorder.ts";
export type { CallPassage, CallRecord, RecentCall, Recorder } from "./recorder/recorder.ts";
export { createReplay, type Replay } from "./recorder/replay.ts";
export { createRegistry, type Registry } from "./registry/registry.ts";
export type { ScopedRule } from "./rules/compile-rule.ts";
export { defaultRules } from "./rules/default-rules.ts";
export type { FileRule, FileRules } from "./rules/file-rules.ts";
export { parseRule, type Rule, type RuleAction, type RuleScope } from "./rules/rule.ts";
export type { SecretLocation } from "./secrets/placeholders.ts";
export type { SecretFilter } from "./secrets/secret-filter.ts";
export type { Secrets } from "./secrets/secrets.ts";
export type { OutlivingCommand, OutlivingProgram } from "./session/background-runs.ts";
export type { ComparedVerdicts } from "./session/compare-verdicts.ts";
export type { ExplainedCall, JudgedLayer } from "./session/explain-call.ts";
export type {
  CallTitle,
  ChangeOwner,
  FileChange,
  Journal,
  MovedEntry,
  Recording,
} from "./session/journal.ts";
export type { Judgement, JudgementStage } from "./session/judge-call.ts";
export type { CallUse } from "./session/list-uses.ts";
export type { Manifest } from "./session/manifest.ts";
export type { Mode } from "./session/mode.ts";
export type { Plan, PlannedCall } from "./session/plan.ts";
export {
  type BatchOptions,
  createSession,
  type NestedCalls,
  type NestOptions,
  type Session,
} from "./session/session.ts";
export type { SessionBounds } from "./session/session-bounds.ts";
export type { ReviewMode, SessionOptions } from "./session/session-options.ts";
export type { SessionRole } from "./session/session-role.ts";
export type {
  SessionStorage,
  Sidecars,
  SidecarWriter,
  StoredRule,
  StoredRules,
} from "./session/session-storage.ts";
export type { ShownTool } from "./session/shown-tools.ts";
export type { SessionTracing } from "./tracing/session-tracing.ts";
export type {
  SpanStart,
  TraceAttributes,
  TraceCarrier,
  TraceSpan,
  Tracing,
} from "./tracing/tracing.ts";
export { combineWatchdogs } from "./watchdog/combine-watchdogs.ts";
export {
  createWatchdog,
  type WatchdogOptions,
  type WatchdogRuleName,
} from "./watchdog/create-watchdog.ts";
export type { EarlierCall, Watchdog, WatchdogCall, WatchdogVerdict } from "./watchdog/watchdog.ts";
