import type { JsonValue } from "@haft/contract";
import { isPlainObject } from "@haft/contract/internal";
import type { HookedCall, HookedEnd } from "@haft/core";
import { toModelText } from "../result-text/to-model-text.ts";
import type { CallView } from "./call-view.ts";
import type { HookFormatName } from "./hook-file.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A call that was executed, for the fields that hooks get about its end. */
export interface EndedCall {
  readonly call: HookedCall;
  readonly view: CallView;
  readonly end: HookedEnd;
}

/** Tells whether an agent counts a call as failed. For Claude Code a command that fails is a failure. */
export function isFailure({ call, end }: EndedCall, format: HookFormatName): boolean {
  if (end.result.type === "error") return true;
  if (format !== "claude" || call.tool.source !== "builtin" || call.tool.id !== "bash")
    return false;
  const { exit_code: code } = toFields(end.data);
  return typeof code === "number" && code !== 0;
}

/** Returns the error text of a failed call. */
export function toErrorText({ end: { result, data } }: EndedCall): string {
  if (result.type === "error") return result.error_text;
  const { exit_code, output } = toFields(data);
  return `Exit code ${exit_code}\n${String(output ?? "").trimEnd()}`;
}

/** Returns the result of a call in the form that an agent gives its hooks. */
export function toToolResponse(ended: EndedCall, format: HookFormatName): JsonValue {
  const { call, end } = ended;
  const isOwn = call.tool.source === "builtin";
  const text = toModelText(end.result);
  switch (format) {
    case "claude":
      return (isOwn ? toClaudeResponse(ended) : undefined) ?? end.data ?? text;
    case "codex": {
      const { output } = toFields(end.data);
      if (!isOwn) return end.data ?? text;
      return call.tool.id === "bash" && typeof output === "string" ? output : text;
    }
    case "gemini":
      return {
        llmContent: text,
        returnDisplay: text,
        ...(end.result.type === "error" && {
          error: { message: text, type: end.result.metadata.error_code ?? "failed" },
        }),
      };
  }
}

function toClaudeResponse({ call, view, end }: EndedCall): JsonValue | undefined {
  const data = toFields(end.data);
  const { input } = view;
  const filePath = String(input.file_path ?? "");
  switch (view.name) {
    case "Read": {
      if (data.type !== "file") return undefined;
      const content = String(data.content ?? "").replaceAll(/^\s*\d+: ?/gmu, "");
      return {
        type: "text",
        file: {
          filePath,
          content,
          numLines: Number(data.end_line ?? 0) - Number(data.start_line ?? 1) + 1,
          startLine: Number(data.start_line ?? 1),
          totalLines: Number(data.total_lines ?? 0),
        },
      };
    }
    case "Write":
      return {
        type: data.created === false ? "update" : "create",
        filePath,
        content: String(input.content ?? ""),
        structuredPatch: [],
        originalFile: null,
        userModified: false,
      };
    case "Edit":
      return {
        filePath,
        oldString: String(input.old_string ?? ""),
        newString: String(input.new_string ?? ""),
        originalFile: null,
        structuredPatch: [],
        userModified: false,
        replaceAll: input.replace_all === true,
      };
    case "Bash":
      if (call.tool.id !== "bash") return undefined;
      return {
        stdout: String(data.output ?? ""),
        stderr: "",
        interrupted: false,
        isImage: false,
        noOutputExpected: false,
      };
    case "Glob": {
      const files = Array.isArray(data.files) ? (data.files as string[]) : [];
      return { filenames: files, numFiles: files.length, truncated: Number(data.remaining) > 0 };
    }
    default:
      return undefined;
  }
}

function toFields(data: unknown): Fields {
  return isPlainObject(data) ? data : {};
}
