// For Haft's own packages. Unsupported: it changes without notice.
export { besideFile } from "./broker/beside-file.ts";
export { toRealPath } from "./disk/landing.ts";
export {
  readUntrustedFile,
  type UntrustedRead,
  type UntrustedReadOptions,
} from "./disk/read-untrusted-file.ts";
export { type GitAllowance, toGitEnvironment } from "./git/git-environment.ts";
export { answerQuestion, listAnswers } from "./inbox/answer-question.ts";
export { createInboxHost, type InboxHost, type OpenQuestion } from "./inbox/inbox-host.ts";
export type {
  InboxAnswer,
  InboxEntry,
  StoredDecision,
  StoredQuestion,
} from "./inbox/inbox-item.ts";
export { currentUser, openSessionInbox, type SessionInbox } from "./inbox/open-inbox.ts";
export { answerField, toAnswerFields } from "./inbox/question-answers.ts";
export { readCurrentText } from "./inbox/read-current-text.ts";
export { readEditedRules } from "./inbox/read-edited-rules.ts";
export { toInboxItem } from "./inbox/session-item.ts";
export { createGuardedFetch, type GuardedFetchOptions } from "./net/guarded-fetch.ts";
export { explainListening, toServerUrl } from "./net/local-server/listening.ts";
export {
  createOriginGuard,
  createTokenGuard,
  type Refusal,
  type RequestGuard,
} from "./net/local-server/request-guards.ts";
export { createUrlGuard, findHostProblem } from "./net/url-guard.ts";
export { findOnPath } from "./paths/find-on-path.ts";
export { isProtectedPath } from "./paths/protected-path.ts";
export { isSecretPath } from "./paths/secret-path.ts";
export { type RanBeside, runBeside } from "./programs/run-beside.ts";
export type {
  CostFilter,
  ListedCall,
  SessionSums,
} from "./recorder/call-index/call-queries.ts";
export { type CallIndex, openCallIndex } from "./recorder/call-index/open-call-index.ts";
export { describeHolder, isHolding } from "./recorder/holder.ts";
export {
  type DatabaseLayout,
  type DatabaseLocation,
  openDatabase,
} from "./recorder/open-database.ts";
export { sharedSearchIndexes } from "./search/index-process/shared-search-indexes.ts";
export { findRipgrep, type Ripgrep } from "./search/ripgrep.ts";
export { type KeptJobs, listKeptJobs } from "./session/list-kept-jobs.ts";
export { listSessions, type SessionSummary } from "./session/list-sessions.ts";
export { makeDirectories } from "./session/make-directories.ts";
export { listOpenSessions, noteOpenSession } from "./session/open-sessions.ts";
export { listSidecars, openSidecar, type StoredSidecar } from "./session/read-sidecars.ts";
export { toWorkspaceId } from "./session/session-directory.ts";
export { readSmallFile, replaceSmallFile } from "./session/small-file.ts";
export { stateDirectory } from "./session/state-directory.ts";
export { listWithheldVariables } from "./shell/command-environment.ts";
export { HeadAndTail, type TextLimits } from "./shell/head-and-tail.ts";
export { findCollectorUrl, openTraceExport } from "./tracing/open-trace-export.ts";
export { openProjectTrust, type TrustOrigin } from "./trust/project-trust.ts";
export { readProjectDirectory } from "./trust/read-project-directory.ts";
export { createExecutableWatchdog } from "./watchdog/executable-watchdog.ts";
