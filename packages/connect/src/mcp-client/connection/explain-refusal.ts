/** Explains a failed authentication and how to log in. Returns `undefined` for any other failure. */
export async function explainRefusal(error: unknown, server: string): Promise<string | undefined> {
  const { InsufficientScopeError, SdkHttpError, UnauthorizedError } = await import(
    "@modelcontextprotocol/client"
  );
  const status = SdkHttpError.isInstance(error) ? error.data.status : undefined;
  if (UnauthorizedError.isInstance(error) || status === 401) {
    return `it requires authentication. Log in with haft mcp login ${server}, or add it again with --header`;
  }
  if (InsufficientScopeError.isInstance(error) || status === 403) {
    return `it does not permit this. Log in again with haft mcp login ${server}`;
  }
  return undefined;
}

/** Tells whether connecting failed because the server requires a login. */
export async function needsLogin(error: unknown): Promise<boolean> {
  const { SdkHttpError, UnauthorizedError } = await import("@modelcontextprotocol/client");
  const cause = error instanceof Error ? error.cause : undefined;
  if (SdkHttpError.isInstance(cause)) return cause.data.status === 401;
  return UnauthorizedError.isInstance(cause);
}
