const tokenKey = "haft-token";

/** What the address of the page brought along. */
export interface BroughtAlong {
  /** The token of a link that signs in once. */
  signIn?: string | undefined;
  /** The organization that a shared link is about. */
  organization?: string | undefined;
}

/**
 * Takes tokens out of the address, where they would be seen and shared. The token for the workspace's
 * tools goes to this tab's storage.
 */
export function takeFromAddress(): BroughtAlong {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const query = new URLSearchParams(location.search);
  const token = fragment.get("token");
  const signIn = fragment.get("sign-in") ?? undefined;
  const organization = query.get("org") ?? undefined;
  if (token !== null) sessionStorage.setItem(tokenKey, token);
  query.delete("org");
  if (token !== null || signIn !== undefined || organization !== undefined) {
    const search = query.size > 0 ? `?${query}` : "";
    history.replaceState(null, "", location.pathname + search);
  }
  return { signIn, organization };
}

/** The token for the tools of the workspace where the server was started. */
export function readWorkspaceToken(): string | undefined {
  return sessionStorage.getItem(tokenKey) ?? undefined;
}

/** Keeps the token for the workspace's tools, which may come as the whole link that carries it. */
export function keepWorkspaceToken(text: string): void {
  const [, inLink] = /[#&]token=([^&]+)/u.exec(text) ?? [];
  sessionStorage.setItem(tokenKey, inLink === undefined ? text.trim() : decodeURIComponent(inLink));
}
