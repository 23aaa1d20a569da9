import type { Tool } from "@haft/contract";
import { applyPatch } from "./apply-patch/apply-patch.ts";
import { bash } from "./bash/bash.ts";
import { check } from "./check/check.ts";
import { deleteFile } from "./delete-file/delete-file.ts";
import { edit } from "./edit/edit.ts";
import { formatFile } from "./format-file/format-file.ts";
import { glob } from "./glob/glob.ts";
import { grep } from "./grep/grep.ts";
import { jobList } from "./jobs/job-list.ts";
import { jobOutput } from "./jobs/job-output.ts";
import { jobStart } from "./jobs/job-start.ts";
import { jobStop } from "./jobs/job-stop.ts";
import { moveFile } from "./move-file/move-file.ts";
import { multiEdit } from "./multi-edit/multi-edit.ts";
import { question } from "./question/question.ts";
import { read } from "./read/read.ts";
import { repoClone } from "./repo-clone/repo-clone.ts";
import { repoOverview } from "./repo-overview/repo-overview.ts";
import { todo } from "./todo/todo.ts";
import { toolSearch } from "./tool-search/tool-search.ts";
import { undoEdit } from "./undo-edit/undo-edit.ts";
import { webFetch } from "./web-fetch/web-fetch.ts";
import { webSearch } from "./web-search/web-search.ts";
import { write } from "./write/write.ts";

/**
 * The tools for background jobs: `job_start`, `job_output`, `job_stop` and `job_list`.
 *
 * @example
 * ```ts
 * import { bash, jobTools } from "@haft/tools";
 *
 * const tools = [bash, ...jobTools];
 * ```
 */
export const jobTools: readonly Tool[] = [jobStart, jobOutput, jobStop, jobList];

/**
 * Every built-in tool.
 *
 * @example
 * ```ts
 * import { builtinTools } from "@haft/tools";
 *
 * const readOnly = builtinTools.filter(({ kind }) => kind === "read" || kind === "search");
 * ```
 */
export const builtinTools: readonly Tool[] = [
  read,
  write,
  edit,
  multiEdit,
  applyPatch,
  glob,
  grep,
  undoEdit,
  deleteFile,
  moveFile,
  formatFile,
  repoOverview,
  todo,
  question,
  bash,
  ...jobTools,
  check,
  webFetch,
  webSearch,
  repoClone,
  toolSearch,
];
