import { defineTool, type Tool, ToolError } from "@haft/contract";
import { findNewGuidance } from "../paths/find-new-guidance.ts";
import { nameInWorkspace } from "../paths/name-in-workspace.ts";
import { suggestPath } from "../paths/suggest-path.ts";
import { strategies } from "./comparable-lines.ts";
import { findPatchKeys, parsePatch } from "./parse-patch.ts";
import { planPatch } from "./plan-patch.ts";
import { maxDiffBytes, type PatchedFile, reportFiles } from "./report-files.ts";

/** The arguments of `apply_patch`. */
export interface ApplyPatchArguments {
  patch: string;
}

/** The result of `apply_patch`. */
export interface ApplyPatchData {
  files: PatchedFile[];
  message: string;
  /** Instruction files that no earlier edit of this session has reported. */
  guidance?: string[];
}

/**
 * The `apply_patch` tool: changes several files at once with a patch.
 *
 * @example
 * ```ts
 * import { applyPatch, read } from "@haft/tools";
 *
 * const tools = [read, applyPatch];
 * ```
 */
export const applyPatch: Tool<ApplyPatchArguments, ApplyPatchData> = defineTool({
  id: "apply_patch",
  description: [
    "Changes, creates, deletes and moves files with a patch. If any part does not apply, nothing is changed.",
    "Takes a unified diff, or the format from `*** Begin Patch` to `*** End Patch` with `*** Add File: `, `*** Update File: `, `*** Move to: `, `*** Delete File: ` and `@@ anchor line`.",
    "Hunks are found by context and removed lines, which must match in exactly one place; line numbers may be wrong.",
    "For one small change, use `edit`.",
    "Read the files that guidance names.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      patch: {
        type: "string",
        minLength: 1,
        description: "The patch.",
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
            path: { type: "string", description: "Absolute." },
            action: { enum: ["created", "updated", "deleted", "moved"] },
            moved_to: { type: "string" },
            diff: { type: "string", description: "Git-style diff." },
            line_range: {
              type: "array",
              items: { type: "integer" },
              minItems: 2,
              maxItems: 2,
              description: "First and last changed line.",
            },
            strategy: {
              enum: strategies,
              description: "The loosest comparison that a hunk needed.",
            },
            offset: {
              type: "integer",
              description: "Largest distance of a hunk from its line number.",
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
        description: "Instruction files for these paths, per file, nearest last, each listed once.",
      },
    },
    required: ["files", "message"],
    additionalProperties: false,
  },
  requires: { fs: { read: ["{workspace}/**"], write: ["{workspace}/**"] } },
  kind: "edit",
  source: "builtin",
  execution: {
    resourceKeys: ({ patch }) => findPatchKeys(patch),
  },
  // The diffs have their own limit; this leaves room for JSON and for many paths.
  maxOutput: { bytes: 20 * maxDiffBytes },
  execute: async ({ patch }, runtime) => {
    const { fs, session, signal } = runtime;
    const files = await planPatch(parsePatch(patch), fs).catch(async (error: unknown) => {
      throw await suggestPath(error, runtime);
    });
    const changes = await files.toChanges();
    const report = reportFiles(files.touched, (path) => nameInWorkspace(path, session.roots));
    if (signal.aborted) throw new ToolError("cancelled", "Cancelled: nothing was changed.");
    if (changes.length > 0) await fs.change(changes);
    const data: ApplyPatchData = { files: report, message: summarize(report) };
    const guidance = await findNewGuidance(report.flatMap(toPaths), runtime);
    if (guidance.length > 0) data.guidance = guidance;
    return data;
  },
});

function toPaths({ path, moved_to: target }: PatchedFile): string[] {
  return target === undefined ? [path] : [path, target];
}

function summarize(files: readonly PatchedFile[]): string {
  if (files.length === 0) return "Nothing to change: the patch is already applied.";
  const counts = (["created", "updated", "deleted", "moved"] as const).flatMap((action) => {
    const count = files.filter((file) => file.action === action).length;
    return count === 0 ? [] : [`${count} ${action}`];
  });
  return `Applied to ${files.length} ${files.length === 1 ? "file" : "files"}: ${counts.join(", ")}.`;
}
