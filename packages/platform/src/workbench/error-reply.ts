/** The body of an error response. */
export interface ErrorReply {
  readonly error: { readonly code: string; readonly message: string };
}

const codes: Readonly<Record<number, string>> = {
  400: "invalid-request",
  401: "unauthorized",
  403: "forbidden",
  404: "not-found",
  413: "too-large",
  415: "unsupported-media-type",
};

/** The shape of every error reply, for a route's response schema. */
export const errorReplySchema = {
  type: "object",
  properties: {
    error: {
      type: "object",
      properties: { code: { type: "string" }, message: { type: "string" } },
      required: ["code", "message"],
    },
  },
  required: ["error"],
} as const;

/** The body of an error reply. */
export function toErrorReply(code: string, message: string): ErrorReply {
  return { error: { code, message } };
}

/** Returns the error code for an HTTP status. */
export function toErrorCode(status: number): string {
  return codes[status] ?? (status < 500 ? "invalid-request" : "internal");
}
