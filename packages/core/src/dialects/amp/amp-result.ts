import type { ErrorCode, JsonValue, ToolResult } from "@haft/contract";
import { isErrorCode } from "@haft/contract/internal";

/** The result of a call in Amp's format. */
export type AmpResult =
  | { readonly status: "done"; readonly result: JsonValue; readonly trackFiles?: string[] }
  | { readonly status: "error" | AmpRefusal; readonly error: AmpError };

type AmpRefusal = "cancelled" | "rejected-by-user";

/** The error of a call in Amp's format. */
export interface AmpError {
  readonly message: string;
  readonly errorCode?: string;
  readonly absolutePath?: string;
}

/** Converts a result to Amp's format. */
export function toAmpResult(result: ToolResult): AmpResult {
  const { error_code, absolute_path, track_files } = result.metadata;
  if (result.type === "output") {
    const done = { status: "done", result: result.data as JsonValue } as const;
    return track_files === undefined ? done : { ...done, trackFiles: track_files };
  }
  return {
    status: statusOf(error_code),
    error: {
      message: result.error_text,
      ...(error_code === undefined ? {} : { errorCode: ampCodes.get(error_code) ?? error_code }),
      ...(absolute_path === undefined ? {} : { absolutePath: absolute_path }),
    },
  };
}

/** Converts a result from Amp's format, which lacks the duration. */
export function fromAmpResult(result: AmpResult): ToolResult {
  if (result.status === "done") {
    const { trackFiles } = result;
    const metadata = { duration_ms: 0, ...(trackFiles && { track_files: trackFiles }) };
    return { type: "output", data: result.result, metadata };
  }
  const { message, absolutePath } = result.error;
  return {
    type: "error",
    error_text: message,
    metadata: {
      duration_ms: 0,
      error_code: codeOf(result),
      ...(absolutePath === undefined ? {} : { absolute_path: absolutePath }),
    },
  };
}

const ampCodes: ReadonlyMap<ErrorCode, string> = new Map([["secret-file", "reading-secret-file"]]);

// Amp does not distinguish a rule that denies from a person who rejects.
function statusOf(code: ErrorCode | undefined): "error" | AmpRefusal {
  switch (code) {
    case "cancelled":
      return "cancelled";
    case "rejected-by-user":
    case "denied":
    case "headless":
      return "rejected-by-user";
    default:
      return "error";
  }
}

function codeOf({ status, error }: Exclude<AmpResult, { status: "done" }>): ErrorCode {
  const { errorCode } = error;
  for (const [code, name] of ampCodes) if (name === errorCode) return code;
  if (errorCode !== undefined && isErrorCode(errorCode)) return errorCode;
  return status === "error" ? "failed" : status;
}
