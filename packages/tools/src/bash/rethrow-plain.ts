import { ToolError } from "@haft/contract";
import { toPlainText } from "./to-plain-text.ts";

/** Rethrows an error with its partial output as plain text. */
export function rethrowPlain(error: unknown): never {
  if (!ToolError.isInstance(error) || error.partial === undefined) throw error;
  const { code, message, absolutePath, details } = error;
  throw new ToolError(code, message, {
    cause: error,
    details,
    partial: toPlainText(error.partial),
    ...(absolutePath !== undefined && { absolutePath }),
  });
}
