/** Returns an HTTP response with a JSON-RPC error that belongs to no request. */
export function toErrorResponse(status: number, message: string): Response {
  return Response.json(toErrorBody(message), { status });
}

/** Returns the body of such a response. */
export function toErrorBody(message: string): object {
  return { jsonrpc: "2.0", id: null, error: { code: serverError, message } };
}

const serverError = -32000;
