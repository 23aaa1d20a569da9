import { defineTool, type Tool, ToolError } from "@haft/contract";
import { findNewGuidance } from "../paths/find-new-guidance.ts";
import { nameInWorkspace } from "../paths/name-in-workspace.ts";
import { findPatchPaths, parsePatch } from "./parse-patch.ts";
import { planPatch } from "./plan-patch.ts";
import { mostDiffBytes, type PatchedFile, reportFiles } from "./report-files.ts";

/** The arguments of `apply_patch`. */
export interface ApplyPatchArguments {
  patch: string;
}

/** What `apply_patch` did. */
export interface ApplyPatchData {
  files: PatchedFile[];
  message: string;
  /** What this session was not told by an edit before. */
  guidance?: string[];
}

/** Changes several files at once by a patch. */
export const applyPatch: Tool<ApplyPatchArguments, ApplyPatchData> = defineTool({
  id: "apply_patch",
  description: [
    "Changes, creates, deletes and moves files by a patch: all of it, or nothing if any part does not fit.",
    "Takes a unified diff (several files, git's headers too) or the form from `*** Begin Patch` to `*** End Patch` with `*** Add File: `, `*** Update File: `, `*** Move to: `, `*** Delete File: ` and `@@ anchor line`.",
    "Line numbers may be off: hunks are found by their lines that stay and go, which must be in the file as they are and in one place only.",
    "Lines that are only added go to their line number, behind their `@@` anchor, or else to the end of the file.",
    "For one small change in one file, edit is simpler.",
    "guidance names files with instructions for these places: read those you don't know.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      patch: {
        type: "string",
        minLength: 1,
        description: "The patch. Paths are relative to the workspace root, or absolute.",
      },
    },
    required: ["patch"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      files: {
        type: "array",
        items: {
          type: "object",
          properties: {
            path: { type: "string", description: "In full." },
            action: { enum: ["created", "updated", "deleted", "moved"] },
            moved_to: { type: "string" },
            diff: { type: "string", description: "What changed, in git's form." },
            line_range: {
              type: "array",
              items: { type: "integer" },
              minItems: 2,
              maxItems: 2,
              description: "The first and last line that changed.",
            },
            strategy: {
              enum: ["exact", "line-endings", "trailing-space", "unicode"],
              description: "How alike the lines had to be for all hunks to be found.",
            },
            offset: {
              type: "integer",
              description: "By how many lines a hunk stood off its line number.",
            },
          },
          required: ["path", "action", "diff"],
          additionalProperties: false,
        },
      },
      message: { type: "string" },
      guidance: {
        type: "array",
        items: { type: "string" },
        description:
          "Files with instructions for these places, file by file, the nearest last; each is named once.",
      },
    },
    required: ["files", "message"],
    additionalProperties: false,
  },
  requires: { fs: { read: ["{workspace}/**"], write: ["{workspace}/**"] } },
  kind: "edit",
  source: "builtin",
  execution: {
    resourceKeys: ({ patch }) => findPatchPaths(patch).map((key) => ({ key, mode: "write" })),
  },
  // The diffs are cut to their room already; this is for what JSON adds, and for many paths.
  maxOutput: { bytes: 20 * mostDiffBytes },
  execute: async ({ patch }, runtime) => {
    const { fs, session, signal } = runtime;
    const files = await planPatch(parsePatch(patch), fs);
    const changes = await files.toChanges();
    const report = reportFiles(files.touched, (path) => nameInWorkspace(path, session.roots));
    if (signal.aborted) throw new ToolError("cancelled", "Changed nothing: aborted.");
    if (changes.length > 0) await fs.change(changes);
    const data: ApplyPatchData = { files: report, message: summarize(report) };
    const guidance = await findNewGuidance(report.flatMap(toPlaces), runtime);
    if (guidance.length > 0) data.guidance = guidance;
    return data;
  },
});

function toPlaces({ path, moved_to: target }: PatchedFile): string[] {
  return target === undefined ? [path] : [path, target];
}

function summarize(files: readonly PatchedFile[]): string {
  if (files.length === 0) return "Nothing to change: all of it is there already.";
  const counts = (["created", "updated", "deleted", "moved"] as const).flatMap((action) => {
    const count = files.filter((file) => file.action === action).length;
    return count === 0 ? [] : [`${count} ${action}`];
  });
  return `Applied to ${files.length} ${files.length === 1 ? "file" : "files"}: ${counts.join(", ")}.`;
}
