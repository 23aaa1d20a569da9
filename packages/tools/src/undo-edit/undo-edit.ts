import { defineTool, type Tool, ToolError } from "@haft/contract";
import { describeChange } from "../lines/describe-change.ts";
import { nameInWorkspace } from "../paths/name-in-workspace.ts";
import { findChanges } from "./find-changes.ts";
import type { UndoAction, UndoStep } from "./plan-undo.ts";
import { undoChanges } from "./undo-changes.ts";

/** The arguments of `undo_edit`. */
export interface UndoEditArguments {
  path?: string;
}

/** One path that went back. */
export interface UndoneChange {
  path: string;
  action: UndoAction;
  diff?: string;
}

/** What `undo_edit` took back. */
export interface UndoEditData {
  undone: UndoneChange[];
  message: string;
}

const actions: readonly UndoAction[] = ["restored", "merged", "removed", "unchanged"];

/** Takes back what a call of this session changed. */
export const undoEdit: Tool<UndoEditArguments, UndoEditData> = defineTool({
  id: "undo_edit",
  description: [
    "Takes back the last change that this session's tools made: of one file, or all that the last changing call did.",
    "Edited, written, moved and deleted files go back to what they were; called again, it goes further back.",
    "Later changes by the user on other lines are kept; where they touch the same lines it changes nothing and says which.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      path: {
        type: "string",
        minLength: 1,
        description:
          "The file whose last change to take back; if left out, everything that the last changing call did.",
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
            path: { type: "string", description: "In full." },
            action: {
              enum: actions,
              description:
                "restored: as it was before; merged: likewise, with later changes kept; removed: the change had created it; unchanged: it was back already.",
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
    if (signal.aborted) throw new ToolError("cancelled", "Undid nothing: aborted.");
    const path = args.path === undefined ? undefined : fs.resolve(args.path);
    const changes = await findChanges(path, history);
    if (changes.length === 0) throw nothingToUndo(path);
    const steps = await undoChanges(changes, fs);
    const undone = steps.map((step) => toUndone(step, session.roots));
    return { undone, message: describeSteps(steps) };
  },
});

function toUndone(step: UndoStep, roots: readonly string[]): UndoneChange {
  const { change, action, from, to } = step;
  const { path } = change;
  if (action === "unchanged" || from.kind !== "file" || to.kind !== "file") return { path, action };
  const diff = describeChange(nameInWorkspace(path, roots), from.content, to.content);
  return diff === undefined ? { path, action } : { path, action, diff };
}

function nothingToUndo(path: string | undefined): ToolError {
  if (path === undefined) {
    return new ToolError(
      "not-found",
      "There is nothing to undo: no call of this session has changed a file that was not taken back.",
    );
  }
  return new ToolError(
    "not-found",
    `There is nothing to undo at ${path}: no call of this session has changed it, or all was taken back.`,
    { absolutePath: path },
  );
}

const sentences: Readonly<Record<UndoAction, (path: string) => string>> = {
  restored: (path) => `Restored ${path}.`,
  merged: (path) => `Took the change of ${path} back and kept what was changed there since.`,
  removed: (path) => `Removed ${path}, which the change had created.`,
  unchanged: (path) => `Nothing was to be done at ${path}.`,
};

function describeSteps(steps: readonly UndoStep[]): string {
  return steps.map(({ change, action }) => sentences[action](change.path)).join("\n");
}
