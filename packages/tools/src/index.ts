export {
  type ApplyPatchArguments,
  type ApplyPatchData,
  applyPatch,
} from "./apply-patch/apply-patch.ts";
export type { PatchedFile } from "./apply-patch/report-files.ts";
export { bash } from "./bash/bash.ts";
export type { BashArguments } from "./bash/bash-arguments.ts";
export type { BashData, LeftRunning } from "./bash/bash-data.ts";
export { builtinTools, jobTools } from "./builtin-tools.ts";
export { type CheckArguments, type CheckData, check } from "./check/check.ts";
export type { CheckKind } from "./check/check-kind.ts";
export type { SkippedCheck } from "./check/found-check.ts";
export type { Problem, ProblemSeverity } from "./check/problem.ts";
export type { CheckResult } from "./check/run-check.ts";
export {
  type DeleteFileArguments,
  type DeleteFileData,
  deleteFile,
} from "./delete-file/delete-file.ts";
export { type EditArguments, type EditData, edit } from "./edit/edit.ts";
export {
  type FormatFileArguments,
  type FormatFileData,
  formatFile,
} from "./format-file/format-file.ts";
export { type GlobArguments, type GlobData, glob } from "./glob/glob.ts";
export type { GrepMatch } from "./grep/gather-matches.ts";
export { type GrepData, grep } from "./grep/grep.ts";
export type { GrepArguments } from "./grep/grep-arguments.ts";
export type { JobData } from "./jobs/job-data.ts";
export type { JobListArguments, JobListData } from "./jobs/job-list.ts";
export type { JobOutputArguments, JobOutputData } from "./jobs/job-output.ts";
export type { JobStartArguments, JobStartData } from "./jobs/job-start.ts";
export type { JobStopArguments, JobStopData } from "./jobs/job-stop.ts";
export { type MoveFileArguments, type MoveFileData, moveFile } from "./move-file/move-file.ts";
export { type MultiEditArguments, type MultiEditData, multiEdit } from "./multi-edit/multi-edit.ts";
export { type QuestionArguments, type QuestionData, question } from "./question/question.ts";
export { read } from "./read/read.ts";
export type { ReadArguments } from "./read/read-arguments.ts";
export type { ReadData } from "./read/read-data.ts";
export { type RepoCloneArguments, type RepoCloneData, repoClone } from "./repo-clone/repo-clone.ts";
export {
  type RepoOverviewArguments,
  type RepoOverviewData,
  repoOverview,
} from "./repo-overview/repo-overview.ts";
export { type TodoArguments, type TodoData, todo } from "./todo/todo.ts";
export type { Todo, TodoInput, TodoPriority, TodoStatus } from "./todo/todo-list.ts";
export {
  type FoundTool,
  type ToolSearchArguments,
  type ToolSearchData,
  toolSearch,
} from "./tool-search/tool-search.ts";
export {
  type UndoEditArguments,
  type UndoEditData,
  type UndoneChange,
  undoEdit,
} from "./undo-edit/undo-edit.ts";
export type { WebFetchArguments, WebFetchData } from "./web-fetch/create-web-fetch.ts";
export { webFetch } from "./web-fetch/web-fetch.ts";
export {
  createWebSearch,
  type WebSearchArguments,
  type WebSearchData,
  type WebSearchOptions,
} from "./web-search/create-web-search.ts";
export type {
  KeyedProviderOptions,
  SearchProvider,
  SearchResult,
} from "./web-search/search-provider.ts";
export {
  createSearchProvider,
  type SearchProviderName,
  type SearchProviderOptions,
} from "./web-search/search-providers.ts";
export type { SearxngOptions } from "./web-search/searxng-provider.ts";
export { webSearch } from "./web-search/web-search.ts";
export { type WriteData, write } from "./write/write.ts";
export type { WriteArguments } from "./write/write-arguments.ts";
