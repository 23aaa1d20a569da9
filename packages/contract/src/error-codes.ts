/** The meaning of an error code and how each interface reports it. */
export interface ErrorCodeFacts {
  /** One sentence for the reference documentation. */
  readonly meaning: string;
  /** Whether a retry can help: never, later with the same arguments, or only with other arguments. */
  readonly retry: "never" | "later" | "changed";
  readonly httpStatus: number;
  /** Exit code of the `haft` command. */
  readonly exitCode: number;
  /** MCP: an `isError` result that the model can read, or a JSON-RPC error with this number. */
  readonly mcp: "result" | number;
  /** The status that an ACP client shows for the call. */
  readonly acp: "failed" | "cancelled";
}

/** The codes of failed calls. */
export type ErrorCode =
  | "invalid-arguments"
  | "unknown-tool"
  | "not-available"
  | "out-of-scope"
  | "denied"
  | "rejected-by-user"
  | "blocked-by-watchdog"
  | "headless"
  | "not-found"
  | "conflict"
  | "too-large"
  | "binary"
  | "secret-file"
  | "timeout"
  | "cancelled"
  | "interrupted"
  | "quota"
  | "unavailable"
  | "failed"
  | "internal";

/**
 * The error codes with their meaning, HTTP status, exit code and protocol error.
 *
 * @example
 * ```ts
 * import { errorCodes } from "@haft/contract";
 *
 * errorCodes["not-found"].httpStatus; // 404
 * errorCodes.timeout.retry; // "later"
 * ```
 */
export const errorCodes: Readonly<Record<ErrorCode, ErrorCodeFacts>> = {
  "invalid-arguments": {
    meaning: "The arguments do not fit the tool's schema, or are not JSON at all.",
    retry: "changed",
    httpStatus: 400,
    exitCode: 2,
    mcp: "result",
    acp: "failed",
  },
  "unknown-tool": {
    meaning: "No tool has this name, neither natively nor in the active dialect.",
    retry: "changed",
    httpStatus: 404,
    exitCode: 3,
    mcp: -32602,
    acp: "failed",
  },
  "not-available": {
    meaning: "The tool exists but is not available in this step, or the mode excludes it.",
    retry: "later",
    httpStatus: 409,
    exitCode: 4,
    mcp: "result",
    acp: "failed",
  },
  "out-of-scope": {
    meaning: "A path, host or command of the call is outside the grant.",
    retry: "changed",
    httpStatus: 403,
    exitCode: 5,
    mcp: "result",
    acp: "failed",
  },
  denied: {
    meaning: "A permission rule or a hook denies the call.",
    retry: "changed",
    httpStatus: 403,
    exitCode: 6,
    mcp: "result",
    acp: "failed",
  },
  "rejected-by-user": {
    meaning: "The user rejected the call.",
    retry: "changed",
    httpStatus: 403,
    exitCode: 7,
    mcp: "result",
    acp: "failed",
  },
  "blocked-by-watchdog": {
    meaning: "The watchdog refused the call and gave a reason.",
    retry: "changed",
    httpStatus: 403,
    exitCode: 8,
    mcp: "result",
    acp: "failed",
  },
  headless: {
    meaning: "The call needs a person's answer, and the session is not interactive.",
    retry: "never",
    httpStatus: 403,
    exitCode: 9,
    mcp: "result",
    acp: "failed",
  },
  "not-found": {
    meaning: "The file or object that the call names does not exist.",
    retry: "changed",
    httpStatus: 404,
    exitCode: 10,
    mcp: "result",
    acp: "failed",
  },
  conflict: {
    meaning: "The call assumes a state that does not hold: stale, ambiguous or already existing.",
    retry: "changed",
    httpStatus: 409,
    exitCode: 11,
    mcp: "result",
    acp: "failed",
  },
  "too-large": {
    meaning: "The input or the requested output exceeds a limit; request a part of it.",
    retry: "changed",
    httpStatus: 413,
    exitCode: 12,
    mcp: "result",
    acp: "failed",
  },
  binary: {
    meaning: "The file is not text and the tool handles only text.",
    retry: "changed",
    httpStatus: 415,
    exitCode: 13,
    mcp: "result",
    acp: "failed",
  },
  "secret-file": {
    meaning: "The file usually holds secrets, which tools do not read.",
    retry: "never",
    httpStatus: 403,
    exitCode: 14,
    mcp: "result",
    acp: "failed",
  },
  timeout: {
    meaning: "The call ran out of time without making progress.",
    retry: "later",
    httpStatus: 504,
    exitCode: 124,
    mcp: "result",
    acp: "failed",
  },
  cancelled: {
    meaning: "The caller aborted the call or the session.",
    retry: "later",
    httpStatus: 499,
    exitCode: 130,
    mcp: "result",
    acp: "cancelled",
  },
  interrupted: {
    meaning: "The process ended during the call, which may have taken effect in whole or in part.",
    retry: "changed",
    httpStatus: 500,
    exitCode: 17,
    mcp: "result",
    acp: "failed",
  },
  quota: {
    meaning: "A limit on calls, bytes or disk space is used up.",
    retry: "later",
    httpStatus: 429,
    exitCode: 15,
    mcp: "result",
    acp: "failed",
  },
  unavailable: {
    meaning: "Something that the tool depends on is down or not installed.",
    retry: "later",
    httpStatus: 503,
    exitCode: 16,
    mcp: "result",
    acp: "failed",
  },
  failed: {
    meaning: "The tool failed for the reason in its message.",
    retry: "changed",
    httpStatus: 422,
    exitCode: 1,
    mcp: "result",
    acp: "failed",
  },
  internal: {
    meaning: "The tool or Haft has a bug: an unexpected exception was thrown.",
    retry: "never",
    httpStatus: 500,
    exitCode: 70,
    mcp: "result",
    acp: "failed",
  },
};

/** Tells whether a string is an error code. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code);
}
