/** An answer over HTTP that is an error of JSON-RPC and belongs to no request. */
export function toErrorResponse(status: number, message: string): Response {
  return Response.json(toErrorBody(message), { status });
}

/** The body of such an answer. */
export function toErrorBody(message: string): object {
  return { jsonrpc: "2.0", id: null, error: { code: serverError, message } };
}

const serverError = -32000;
