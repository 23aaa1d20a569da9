import { type ErrorCode, ToolError } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import type { RemoteError } from "./messages.ts";

/** Returns an error in the form in which it is sent. */
export function toRemoteError(error: unknown): RemoteError {
  if (!ToolError.isInstance(error)) return { message: toErrorMessage(error) };
  const { code, message, absolutePath, partial, details } = error;
  return {
    code,
    message,
    details,
    ...(absolutePath !== undefined && { absolutePath }),
    ...(partial !== undefined && { partial }),
  };
}

/** Returns the error that was sent. */
export function fromRemoteError({ code, message, ...options }: RemoteError): Error {
  return code === undefined
    ? new Error(message)
    : new ToolError(code as ErrorCode, message, options);
}
