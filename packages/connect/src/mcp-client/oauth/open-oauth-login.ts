import type { OAuthMemory } from "./oauth-memory.ts";
import { type OAuthIdentity, OAuthProvider } from "./oauth-provider.ts";
import { openLoopback } from "./open-loopback.ts";

/** What a login needs. */
export interface OAuthLoginOptions extends Omit<OAuthIdentity, "redirectUrl"> {
  readonly memory: OAuthMemory;
  /** How long to wait for the person: five minutes unless said. */
  readonly patienceMs?: number;
  readonly signal?: AbortSignal;
}

/** A person logging in. */
export interface OAuthLogin {
  /** What a transport is to be made with. */
  readonly provider: OAuthProvider;
  /** Waits for the person to come back, and has the transport that sent them take the answer. */
  finish(transport: { finishAuth(answer: URLSearchParams): Promise<void> }): Promise<void>;
  close(): Promise<void>;
}

const patience = 300_000;

/** Gets ready for a person to log in; their browser comes back to a port of this machine. */
export async function openOAuthLogin(options: OAuthLoginOptions): Promise<OAuthLogin> {
  const { memory, patienceMs = patience, signal, ...identity } = options;
  const loopback = await openLoopback(earlierPort(memory));
  const provider = new OAuthProvider(memory, {
    ...identity,
    openUrl: (url) => identity.openUrl(requireWeb(url)),
    redirectUrl: loopback.url,
  });
  return {
    provider,
    finish: async (transport) => {
      const limit = AbortSignal.timeout(patienceMs);
      const until = signal === undefined ? limit : AbortSignal.any([limit, signal]);
      const answer = await loopback.receive(() => provider.expectedState, until);
      // It checks who issued the answer before it looks at anything else of it.
      await transport.finishAuth(answer);
    },
    close: () => loopback.close(),
  };
}

// Servers that know only exact addresses know the one that was registered with them.
function earlierPort(memory: OAuthMemory): number | undefined {
  const client = memory.read().client as { redirect_uris?: readonly string[] } | undefined;
  const port = URL.parse(client?.redirect_uris?.[0] ?? "")?.port;
  return port ? Number(port) : undefined;
}

// The address comes from the server and ends up with whatever opens addresses.
function requireWeb(url: URL): URL {
  if (url.protocol === "https:" || url.protocol === "http:") return url;
  throw new Error(
    `The server wants a login at an address that is none of the web (${url.protocol}).`,
  );
}
