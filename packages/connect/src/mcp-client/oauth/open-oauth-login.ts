import type { OAuthMemory } from "./oauth-memory.ts";
import { type OAuthIdentity, OAuthProvider } from "./oauth-provider.ts";
import { openLoopback } from "./open-loopback.ts";

/** Options of `openOAuthLogin`. */
export interface OAuthLoginOptions extends Omit<OAuthIdentity, "redirectUrl"> {
  readonly memory: OAuthMemory;
  /** Time limit for the person, in milliseconds. Default: 300,000 (five minutes). */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** A login in progress. */
export interface OAuthLogin {
  /** The provider to create the transport with. */
  readonly provider: OAuthProvider;
  /** Waits for the redirect and passes it to the transport. */
  finish(transport: { finishAuth(answer: URLSearchParams): Promise<void> }): Promise<void>;
  close(): Promise<void>;
}

const defaultTimeoutMs = 300_000;

/** Prepares a login whose redirect goes to a local port. */
export async function openOAuthLogin(options: OAuthLoginOptions): Promise<OAuthLogin> {
  const { memory, timeoutMs = defaultTimeoutMs, signal, ...identity } = options;
  const loopback = await openLoopback(earlierPort(memory));
  const provider = new OAuthProvider(memory, {
    ...identity,
    openUrl: (url) => identity.openUrl(requireWeb(url)),
    redirectUrl: loopback.url,
  });
  return {
    provider,
    finish: async (transport) => {
      const limit = AbortSignal.timeout(timeoutMs);
      const until = signal === undefined ? limit : AbortSignal.any([limit, signal]);
      const answer = await loopback.receive(() => provider.expectedState, until);
      // It checks the issuer before it reads anything else.
      await transport.finishAuth(answer);
    },
    close: () => loopback.close(),
  };
}

// Some servers accept only the exact redirect URL that was registered.
function earlierPort(memory: OAuthMemory): number | undefined {
  const client = memory.read().client as { redirect_uris?: readonly string[] } | undefined;
  const port = URL.parse(client?.redirect_uris?.[0] ?? "")?.port;
  return port ? Number(port) : undefined;
}

// The URL comes from the server and is passed to the system's URL handler.
function requireWeb(url: URL): URL {
  if (url.protocol === "https:" || url.protocol === "http:") return url;
  throw new Error(
    `The server requires a login at a URL that is not http or https (${url.protocol}).`,
  );
}
