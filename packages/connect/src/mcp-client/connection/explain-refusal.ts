/** Says what to do where a server wants to know who asks; `undefined` for any other failure. */
export async function explainRefusal(error: unknown, server: string): Promise<string | undefined> {
  const { InsufficientScopeError, SdkHttpError, UnauthorizedError } = await import(
    "@modelcontextprotocol/client"
  );
  const status = SdkHttpError.isInstance(error) ? error.data.status : undefined;
  if (UnauthorizedError.isInstance(error) || status === 401) {
    return `it does not know who asks. Log in with haft mcp login ${server}, or add it with a --header`;
  }
  if (InsufficientScopeError.isInstance(error) || status === 403) {
    return `it does not allow this. Log in again with haft mcp login ${server}`;
  }
  return undefined;
}

/** Whether a failure to connect means that somebody has to log in first. */
export async function needsLogin(error: unknown): Promise<boolean> {
  const { SdkHttpError, UnauthorizedError } = await import("@modelcontextprotocol/client");
  const cause = error instanceof Error ? error.cause : undefined;
  if (SdkHttpError.isInstance(cause)) return cause.data.status === 401;
  return UnauthorizedError.isInstance(cause);
}
