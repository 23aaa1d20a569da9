import type { IncomingMessage, ServerResponse } from "node:http";
import type { Problem } from "../problem.ts";

/** Answers with a problem: to git as plain text, which it shows to its user, to others as the API does. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  problem: Problem,
): void {
  // What still comes is read and forgotten: who is cut off while sending never sees the answer.
  request.resume();
  const isGit = request.headers["user-agent"]?.startsWith("git/") === true;
  response.writeHead(problem.status, {
    ...problem.headers,
    "content-type": isGit ? "text/plain; charset=utf-8" : "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(isGit ? `${problem.message}\n` : JSON.stringify({ detail: problem.message }));
}
