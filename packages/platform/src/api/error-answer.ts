import { maxJsonDepth } from "@haft/core/internal";
import { InvalidRequest, Problem } from "../problem.ts";

/** The response for an error. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly detail: unknown; readonly message?: string };
}

export const invalidJsonSentence =
  "The body is not valid JSON. Send one JSON value, without members named __proto__.";

export const tooDeepSentence: string = `The body's arrays and objects are nested more than ${maxJsonDepth} deep. Send flatter data.`;

/** Messages for requests that Fastify refuses before a route sees them. */
const sentences: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: invalidJsonSentence,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH:
    "The body does not have the length that the header content-length states. Send all of it.",
  FST_ERR_CTP_INVALID_MEDIA_TYPE:
    "The body has a type that is not accepted here. Send JSON with content-type: application/json.",
  FST_ERR_CTP_BODY_TOO_LARGE: "The body is too large. Send less at a time.",
  FST_ERR_BAD_URL: "The path has an invalid escape. Write % as %25.",
  FST_ERR_MAX_PARAM_LENGTH: "A part of the path is too long. Shorten it.",
};

const generalSentence = "The request is malformed. Check how it is sent.";

/** Returns the response for an error, or `undefined` for an internal error. */
export function findErrorAnswer(error: unknown): ErrorAnswer | undefined {
  if (error instanceof InvalidRequest) {
    const { status, headers, errors: detail, message } = error;
    return { status, headers, body: { detail, message } };
  }
  if (error instanceof Problem) {
    return { status: error.status, headers: error.headers, body: { detail: error.message } };
  }
  const { code, statusCode } = error as { readonly code?: unknown; readonly statusCode?: unknown };
  if (typeof statusCode !== "number" || statusCode < 400 || statusCode >= 500) return undefined;
  const detail = sentences[String(code)] ?? generalSentence;
  return { status: statusCode, headers: {}, body: { detail } };
}

/** Returns the response for an internal error: no details, but an id to look for in the log. */
export function toFaultAnswer(errorId: string): ErrorAnswer {
  const detail = `Something went wrong on the server. Try again. If it happens again, tell the operator the error ${errorId}.`;
  return { status: 500, headers: {}, body: { detail } };
}
