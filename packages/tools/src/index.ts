import type { Tool } from "@haft/contract";
import { applyPatch } from "./apply-patch/apply-patch.ts";
import { deleteFile } from "./delete-file/delete-file.ts";
import { edit } from "./edit/edit.ts";
import { formatFile } from "./format-file/format-file.ts";
import { glob } from "./glob/glob.ts";
import { grep } from "./grep/grep.ts";
import { moveFile } from "./move-file/move-file.ts";
import { multiEdit } from "./multi-edit/multi-edit.ts";
import { read } from "./read/read.ts";
import { repoOverview } from "./repo-overview/repo-overview.ts";
import { todo } from "./todo/todo.ts";
import { undoEdit } from "./undo-edit/undo-edit.ts";
import { write } from "./write/write.ts";

export {
  type ApplyPatchArguments,
  type ApplyPatchData,
  applyPatch,
} from "./apply-patch/apply-patch.ts";
export type { PatchedFile } from "./apply-patch/report-files.ts";
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
export { type MoveFileArguments, type MoveFileData, moveFile } from "./move-file/move-file.ts";
export { type MultiEditArguments, type MultiEditData, multiEdit } from "./multi-edit/multi-edit.ts";
export { read } from "./read/read.ts";
export type { ReadArguments } from "./read/read-arguments.ts";
export type { ReadData } from "./read/read-data.ts";
export {
  type RepoOverviewArguments,
  type RepoOverviewData,
  repoOverview,
} from "./repo-overview/repo-overview.ts";
export { type TodoArguments, type TodoData, todo } from "./todo/todo.ts";
export type { Todo, TodoInput, TodoPriority, TodoStatus } from "./todo/todo-list.ts";
export {
  type UndoEditArguments,
  type UndoEditData,
  type UndoneChange,
  undoEdit,
} from "./undo-edit/undo-edit.ts";
export { type WriteData, write } from "./write/write.ts";
export type { WriteArguments } from "./write/write-arguments.ts";

/** Every built-in tool. */
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
];
