export type { CallScope, Computer } from "./computer.ts";
export { createMemoryRecorder } from "./recorder/memory-recorder.ts";
export { type CallRecord, type Recorder, recordingVersion } from "./recorder/recorder.ts";
export {
  formatRule,
  parseRule,
  type Rule,
  type RuleAction,
  type RuleScope,
} from "./rules/rule.ts";
export type { FileChange, Journal } from "./session/journal.ts";
export type { SessionStorage, Sidecars, StoredRules } from "./session/session-storage.ts";
