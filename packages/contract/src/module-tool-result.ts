import type { ToolResult } from "./envelope.ts";
import { isErrorCode } from "./error-codes.ts";
import type { ModuleToolError, ModuleToolResult } from "./module-tool.ts";
import { ToolError } from "./tool-error.ts";

/** Tells whether a value is a module's result. Plain data may have a `success` field too, but has others as well. */
export function isModuleToolResult(value: unknown): value is ModuleToolResult {
  if (typeof value !== "object" || value === null) return false;
  const { success, error } = value as { success?: unknown; error?: unknown };
  if (typeof success !== "boolean") return false;
  const isFailure = !success && error !== undefined && error !== null;
  return isFailure || Object.keys(value).every((key) => fields.has(key));
}

/** Converts a result to the form that modules use. */
export function toModuleToolResult(result: ToolResult): ModuleToolResult {
  if (result.type === "output") return { success: true, output: result.data, error: null };
  const { error_code, error_type: type = error_code, absolute_path } = result.metadata;
  return {
    success: false,
    output: null,
    error: {
      message: result.error_text,
      ...(type === undefined ? {} : { type }),
      ...(absolute_path === undefined ? {} : { absolute_path }),
    },
  };
}

/** Returns the output of a module's result, or throws its error as a `ToolError`. */
export function fromModuleToolResult({ success, output, error }: ModuleToolResult): unknown {
  if (success) return output ?? null;
  const { message, type, absolute_path: path } = readError(error);
  const code = type !== undefined && isErrorCode(type) ? type : "failed";
  throw new ToolError(code, message, {
    ...(typeof path === "string" ? { absolutePath: path } : {}),
    ...(type === undefined ? {} : { details: { type } }),
    ...(output === undefined || output === null ? {} : { partial: toText(output) }),
  });
}

const fields: ReadonlySet<string> = new Set(["success", "output", "error"]);

// A module need not be written in TypeScript and may report errors in another form.
function readError(error: unknown): ModuleToolError {
  if (typeof error === "string" && error !== "") return { message: error };
  const facts: Readonly<Record<string, unknown>> =
    typeof error === "object" && error !== null ? { ...error } : {};
  const { message, type, ...rest } = facts;
  const said = typeof message === "string" && message !== "" ? message : describeSilence(facts);
  return { ...rest, message: said, ...(typeof type === "string" ? { type } : {}) };
}

function describeSilence(facts: Readonly<Record<string, unknown>>): string {
  const rest = Object.keys(facts).length === 0 ? "" : ` It returned ${toText(facts)}.`;
  return `The tool failed without giving a reason.${rest}`;
}

function toText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
