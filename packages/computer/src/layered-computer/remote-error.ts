import { type ErrorCode, ToolError } from "@haft/contract";
import { toErrorMessage, withoutRemedy } from "@haft/contract/internal";
import type { RemoteError } from "./messages.ts";

/** Returns an error in the form in which it is sent. */
export function toRemoteError(error: unknown): RemoteError {
  if (!ToolError.isInstance(error)) return { message: toErrorMessage(error) };
  const { code, remedy, absolutePath, partial, details } = error;
  return {
    code,
    message: withoutRemedy(error),
    details,
    ...(remedy !== undefined && { remedy }),
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
