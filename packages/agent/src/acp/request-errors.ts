import { RequestError } from "@agentclientprotocol/sdk";
import { ToolError } from "@haft/contract";
import { toErrorLine } from "./to-error-line.ts";

/** Creates the error for invalid parameters. */
export function invalidParams(sentence: string): RequestError {
  return new RequestError(-32602, sentence);
}

/** Creates the error for a request that is not valid in the current state. */
export function invalidRequest(sentence: string): RequestError {
  return new RequestError(-32600, sentence);
}

/** Creates the error for a request that failed. */
export function failedRequest(sentence: string): RequestError {
  return new RequestError(-32603, sentence);
}

/** Creates the error for an unknown session. */
export function unknownSession(id: string, sentence?: string): RequestError {
  const words = sentence ?? `Session ${JSON.stringify(id)} is not open. Open it with session/load.`;
  return new RequestError(-32002, words, { sessionId: id });
}

/** Converts the error of a session that could not be opened. */
export function toOpenError(error: unknown, session: string | undefined): RequestError {
  if (error instanceof RequestError) return error;
  if (session !== undefined && ToolError.isInstance(error) && error.code === "not-found") {
    const words = toErrorLine(error);
    return unknownSession(session, words.includes(session) ? words : `${words} (${session})`);
  }
  return error instanceof TypeError
    ? invalidParams(toErrorLine(error))
    : failedRequest(toErrorLine(error));
}
