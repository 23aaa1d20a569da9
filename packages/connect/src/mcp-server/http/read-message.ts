import { isTextNestedDeeper, maxJsonDepth } from "@haft/core/internal";
import { isJsonContentType } from "@modelcontextprotocol/server";
import { toErrorResponse } from "./error-response.ts";

/** Reads the JSON of a POST request without consuming it. Returns a response for one that is refused. */
export async function readMessage(
  request: Request,
): Promise<{ readonly body: unknown } | Response> {
  if (!isJsonContentType(request.headers.get("content-type"))) {
    return toErrorResponse(415, "Send the message as application/json.");
  }
  const text = await request.clone().text();
  if (isTextNestedDeeper(text)) {
    return toErrorResponse(400, `The message is nested more than ${maxJsonDepth} levels deep.`);
  }
  try {
    return { body: JSON.parse(text) as unknown };
  } catch {
    return toErrorResponse(400, "The body is not valid JSON.");
  }
}
