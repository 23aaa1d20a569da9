import { InvalidRequest, Problem } from "../problem.ts";

/** What a caller is told about an error. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly detail: unknown };
}

export const invalidJsonSentence =
  "The body is not valid JSON. Send one JSON value, without members named __proto__.";

/** The sentences for what the server itself refuses before a route sees it. */
const sentences: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: invalidJsonSentence,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH:
    "The body is not as long as the header content-length says. Send it whole.",
  FST_ERR_CTP_INVALID_MEDIA_TYPE:
    "The body has a type that is not accepted here. Send JSON with content-type: application/json.",
  FST_ERR_CTP_BODY_TOO_LARGE: "The body is too large. Send less at a time.",
  FST_ERR_BAD_URL: "The path has an escape that can't be decoded. Write % as %25.",
  FST_ERR_MAX_PARAM_LENGTH: "A part of the path is too long. Shorten it.",
};

const generalSentence = "The request can't be understood. Look at how it is sent.";

/** The answer to an error, or `undefined` if it is a fault of ours that the caller can't mend. */
export function findErrorAnswer(error: unknown): ErrorAnswer | undefined {
  if (error instanceof InvalidRequest) {
    return { status: error.status, headers: error.headers, body: { detail: error.errors } };
  }
  if (error instanceof Problem) {
    return { status: error.status, headers: error.headers, body: { detail: error.message } };
  }
  const { code, statusCode } = error as { readonly code?: unknown; readonly statusCode?: unknown };
  if (typeof statusCode !== "number" || statusCode < 400 || statusCode >= 500) return undefined;
  const detail = sentences[String(code)] ?? generalSentence;
  return { status: statusCode, headers: {}, body: { detail } };
}

/** The answer to a fault of ours: without details, but with what to look for in the log. */
export function toFaultAnswer(errorId: string): ErrorAnswer {
  const detail = `Something went wrong on the server. Try again; if it stays, tell its operator the error ${errorId}.`;
  return { status: 500, headers: {}, body: { detail } };
}
