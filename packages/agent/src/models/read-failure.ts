import {
  APICallError,
  EmptyResponseBodyError,
  InvalidResponseDataError,
  JSONParseError,
  NoOutputGeneratedError,
  RetryError,
  StreamProviderError,
  TypeValidationError,
} from "ai";

/** The facts of a failed model request, whichever package threw the error. */
export interface ModelFailure {
  /** `unreadable`: the response is not in the provider's format. */
  readonly kind: "answer" | "network" | "aborted" | "unreadable" | "incomplete" | "other";
  /** The provider's message. */
  readonly text: string;
  readonly status?: number | undefined;
  /** The provider's error code and type. */
  readonly codes: readonly string[];
  /** System error code, such as `ECONNREFUSED`. */
  readonly networkCode?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The provider's error as it was sent. */
  readonly data?: unknown;
  /** Whether the provider's package considers it retryable. */
  readonly isRetryable: boolean;
}

/** Extracts the facts from the error of a model request. */
export function readFailure(error: unknown): ModelFailure {
  if (RetryError.isInstance(error)) return readFailure(error.lastError);
  if (isAbort(error)) return { ...plain(error), kind: "aborted" };
  if (APICallError.isInstance(error)) return readCall(error);
  if (StreamProviderError.isInstance(error)) {
    const { statusCode, isRetryable, data, type, code } = error;
    const codes = [...codesIn(data), ...textsOf([type, code])];
    return { ...plain(error), kind: "answer", status: statusCode, isRetryable, data, codes };
  }
  if (isIncomplete(error)) return { ...plain(error), kind: "incomplete", isRetryable: true };
  if (isUnreadable(error)) return { ...plain(error), kind: "unreadable" };
  const networkCode = findNetworkCode(error);
  if (networkCode === undefined) return plain(error);
  return { ...plain(error), kind: "network", networkCode, isRetryable: true };
}

function readCall(error: APICallError): ModelFailure {
  const { url, statusCode, responseHeaders: headers = {}, data, isRetryable } = error;
  const networkCode = findNetworkCode(error.cause);
  const base = { ...plain(error), url, status: statusCode, headers, data, isRetryable };
  if (networkCode !== undefined) return { ...base, kind: "network", networkCode };
  if (statusCode !== undefined && statusCode >= 400) {
    return { ...base, kind: "answer", codes: codesIn(data) };
  }
  if (isIncomplete(error.cause)) return { ...base, kind: "incomplete", isRetryable: true };
  return {
    ...base,
    kind: isUnreadable(error.cause) ? "unreadable" : "answer",
    codes: codesIn(data),
  };
}

function plain(error: unknown): ModelFailure {
  return {
    kind: "other",
    text: textIn(error),
    codes: codesIn(error),
    headers: {},
    isRetryable: false,
  };
}

function textIn(error: unknown): string {
  if (typeof error === "string") return error;
  const message = recordOf(error)?.message ?? recordOf(recordOf(error)?.error)?.message;
  return typeof message === "string" ? message : "";
}

function isAbort(error: unknown): boolean {
  const name = recordOf(error)?.name;
  return name === "AbortError" || name === "ResponseAborted";
}

function isIncomplete(error: unknown): boolean {
  return (
    InvalidResponseDataError.isInstance(error) ||
    EmptyResponseBodyError.isInstance(error) ||
    NoOutputGeneratedError.isInstance(error)
  );
}

function isUnreadable(error: unknown): boolean {
  return JSONParseError.isInstance(error) || TypeValidationError.isInstance(error);
}

// The network error is the cause of the request error.
function findNetworkCode(error: unknown): string | undefined {
  let current = recordOf(error);
  for (let depth = 0; depth < 8 && current !== undefined; depth++) {
    const { code } = current;
    if (typeof code === "string" && /^(?:E[A-Z_]+|UND_ERR_\w+|[A-Z_]*CERT[A-Z_]*)$/u.test(code)) {
      return code;
    }
    const [first] = Array.isArray(current.errors) ? current.errors : [];
    current = recordOf(current.cause) ?? recordOf(first);
  }
  return undefined;
}

function codesIn(data: unknown): readonly string[] {
  const outer = recordOf(data);
  const inner = recordOf(outer?.error) ?? recordOf(recordOf(outer?.response)?.error) ?? outer;
  return textsOf([inner?.code, inner?.type, inner?.status]);
}

function textsOf(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === "string");
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}
