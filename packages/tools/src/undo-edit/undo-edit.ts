import {
  type ChangeHistory,
  defineTool,
  type FileSystem,
  type Tool,
  ToolError,
} from "@haft/contract";
import { nameInWorkspace } from "../paths/name-in-workspace.ts";
import { describeChange } from "../text/describe-change.ts";
import { findChanges } from "./find-changes.ts";
import type { UndoAction, UndoStep } from "./plan-undo.ts";
import { planSteps, undoChanges } from "./undo-changes.ts";

/** The arguments of `undo_edit`. */
export interface UndoEditArguments {
  path?: string;
  to?: string;
  call?: string;
  redo?: boolean;
}

/** A path that was restored. */
export interface UndoneChange {
  path: string;
  action: UndoAction;
  diff?: string;
}

/** The result of `undo_edit`. */
export interface UndoEditData {
  undone: UndoneChange[];
  message: string;
}

const actions: readonly UndoAction[] = ["restored", "merged", "removed", "unchanged"];

/**
 * The `undo_edit` tool: undoes what a call of this session changed.
 *
 * @example
 * ```ts
 * import { edit, undoEdit } from "@haft/tools";
 *
 * const tools = [edit, undoEdit];
 * ```
 */
export const undoEdit: Tool<UndoEditArguments, UndoEditData> = defineTool({
  id: "undo_edit",
  description: [
    "Undoes what the last changing call of this session did; each further call goes one change further back.",
    "Keeps later changes by the user; if they touch the same lines, it changes nothing and names them.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      path: {
        type: "string",
        minLength: 1,
        description: "Undo only the last change of this file.",
      },
      to: {
        type: "string",
        minLength: 1,
        description: "ID of a call: undo everything since.",
      },
      call: {
        type: "string",
        minLength: 1,
        description: "ID of a call: undo only it. With redo: the undo to revert.",
      },
      redo: {
        type: "boolean",
        description: "Revert the last undo.",
      },
    },
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      undone: {
        type: "array",
        items: {
          type: "object",
          properties: {
            path: { type: "string", description: "Absolute." },
            action: {
              enum: actions,
              description:
                "restored: as before; merged: as before, with later changes kept; removed: the change had created it; unchanged: already undone.",
            },
            diff: { type: "string" },
          },
          required: ["path", "action"],
          additionalProperties: false,
        },
      },
      message: { type: "string" },
    },
    required: ["undone", "message"],
    additionalProperties: false,
  },
  requires: { fs: { read: ["{workspace}/**"], write: ["{workspace}/**"] } },
  kind: "edit",
  source: "builtin",
  execution: {
    resourceKeys: ({ path }) => [
      path === undefined ? { key: ".", mode: "write", tree: true } : { key: path, mode: "write" },
    ],
  },
  execute: async (args, { fs, history, session, signal }) => {
    if (signal.aborted) throw new ToolError("cancelled", "Cancelled: nothing was undone.");
    const { to, call, redo = false } = args;
    const isSeveral = [args.path, to, call].filter((value) => value !== undefined).length > 1;
    if (isSeveral || (redo && (args.path !== undefined || to !== undefined))) {
      throw new ToolError(
        "invalid-arguments",
        "Give one of path, to, call and redo, not several. Only call and redo go together.",
      );
    }
    const path = args.path === undefined ? undefined : fs.resolve(args.path);
    const changes = await findChanges({ path, to, call, redo }, history);
    if (changes.length === 0) throw redo ? nothingToRedo() : nothingToUndo(path);
    return undoChanges(changes, fs, (steps) => describeUndo(steps, session.roots));
  },
});

/** Tells what undoing one call would change, or redoing it. Throws what the undo would. */
export async function previewUndo(
  { call, redo }: { readonly call: string; readonly redo: boolean },
  {
    fs,
    history,
    roots,
  }: {
    readonly fs: FileSystem;
    readonly history: ChangeHistory;
    readonly roots: readonly string[];
  },
): Promise<UndoneChange[]> {
  const changes = await findChanges({ path: undefined, to: undefined, call, redo }, history);
  const { steps } = await planSteps(changes, fs);
  return describeUndo(steps, roots).undone;
}

// A command may have changed thousands of files.
const maxTold = 100;
const maxShownBytes = 256 * 1024;

function describeUndo(steps: readonly UndoStep[], roots: readonly string[]): UndoEditData {
  const told = steps.slice(0, maxTold);
  const lines = told.map(({ change, action }) => sentences[action](change.path));
  if (steps.length > told.length) lines.push(`And ${steps.length - told.length} more paths.`);
  return { undone: told.map((step) => toUndone(step, roots)), message: lines.join("\n") };
}

function toUndone(step: UndoStep, roots: readonly string[]): UndoneChange {
  const { change, action } = step;
  const { path } = change;
  const diff = action === "unchanged" ? undefined : showDiff(step, roots);
  return diff === undefined ? { path, action } : { path, action, diff };
}

function showDiff({ change, from, to }: UndoStep, roots: readonly string[]): string | undefined {
  if (from.kind !== "file" || to.kind !== "file") return undefined;
  try {
    const { content: now } = from;
    const { content: then } = to;
    if (now.length > maxShownBytes || then.length > maxShownBytes) return undefined;
    return describeChange(nameInWorkspace(change.path, roots), now, then);
  } catch (error) {
    // Its content is not known, only that it is what the change left.
    if (ToolError.isInstance(error)) return undefined;
    throw error;
  }
}

function nothingToRedo(): ToolError {
  return new ToolError("not-found", "Nothing to redo: no change was undone, or all were redone.");
}

function nothingToUndo(path: string | undefined): ToolError {
  if (path === undefined) {
    return new ToolError(
      "not-found",
      "Nothing to undo: this session has changed no file, or all of its changes were undone.",
    );
  }
  return new ToolError(
    "not-found",
    `Nothing to undo at ${path}: this session has not changed it, or all of its changes were undone.`,
    { absolutePath: path },
  );
}

const sentences: Readonly<Record<UndoAction, (path: string) => string>> = {
  restored: (path) => `Restored ${path}.`,
  merged: (path) => `Undid the change of ${path} and kept later changes.`,
  removed: (path) => `Removed ${path}, which the change had created.`,
  unchanged: (path) => `${path} was already as before.`,
};
