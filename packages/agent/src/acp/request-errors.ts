import { RequestError } from "@agentclientprotocol/sdk";
import { ToolError } from "@haft/contract";
import { wordsOf } from "./words-of.ts";

/** The error of a request whose parameters make no sense, in our words. */
export function invalidParams(sentence: string): RequestError {
  return new RequestError(-32602, sentence);
}

/** The error of a request that makes no sense now, in our words. */
export function invalidRequest(sentence: string): RequestError {
  return new RequestError(-32600, sentence);
}

/** The error of a request that can't be met, in our words. */
export function failedRequest(sentence: string): RequestError {
  return new RequestError(-32603, sentence);
}

/** The error of a request about a session that is not there. */
export function unknownSession(id: string, sentence?: string): RequestError {
  const words =
    sentence ?? `No session ${JSON.stringify(id)} is open here. Open it by session/load.`;
  return new RequestError(-32002, words, { sessionId: id });
}

/** What a client is told of a session that could not be opened. */
export function toOpenError(error: unknown, session: string | undefined): RequestError {
  if (error instanceof RequestError) return error;
  if (session !== undefined && ToolError.isInstance(error) && error.code === "not-found") {
    const words = wordsOf(error);
    return unknownSession(session, words.includes(session) ? words : `${words} (${session})`);
  }
  return error instanceof TypeError ? invalidParams(wordsOf(error)) : failedRequest(wordsOf(error));
}
