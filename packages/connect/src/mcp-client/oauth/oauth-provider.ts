import { randomBytes } from "node:crypto";
import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import type { OAuthMemory } from "./oauth-memory.ts";

/** Who we are to authorization servers, and how a person gets to them. */
export interface OAuthIdentity {
  readonly redirectUrl: string;
  /** What a server registered us as beforehand, where it does not let us register ourselves. */
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** Where our metadata can be had, for servers that take an address for an identity. */
  readonly clientMetadataUrl?: string | undefined;
  /** What to ask for, where the server does not say. */
  readonly scope?: string | undefined;
  /** Brings the person to this address. */
  openUrl(url: URL): void | Promise<void>;
}

/** Remembers what the library's OAuth needs: authorization code with PKCE, and refreshed tokens. */
export class OAuthProvider implements OAuthClientProvider {
  readonly clientMetadataUrl?: string;
  readonly #memory: OAuthMemory;
  readonly #identity: OAuthIdentity;
  #verifier: string | undefined;
  #state: string | undefined;
  #discovery: OAuthDiscoveryState | undefined;

  constructor(memory: OAuthMemory, identity: OAuthIdentity) {
    this.#memory = memory;
    this.#identity = identity;
    if (identity.clientMetadataUrl !== undefined) {
      this.clientMetadataUrl = identity.clientMetadataUrl;
    }
  }

  get redirectUrl(): string {
    return this.#identity.redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: "Haft",
      redirect_uris: [this.#identity.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      ...(this.#identity.scope !== undefined && { scope: this.#identity.scope }),
    };
  }

  /** What the answer to the last authorization request must carry. */
  get expectedState(): string | undefined {
    return this.#state;
  }

  /** Whether there is anything to show a server. */
  isLoggedIn(): boolean {
    return this.tokens() !== undefined;
  }

  state(): string {
    this.#state = randomBytes(24).toString("base64url");
    return this.#state;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    const { clientId, clientSecret, redirectUrl } = this.#identity;
    const stored = this.#memory.read().client as RegisteredClient | undefined;
    if (clientId !== undefined) {
      const issuer = stored?.client_id === clientId ? stored.issuer : undefined;
      return {
        client_id: clientId,
        ...(clientSecret !== undefined && { client_secret: clientSecret }),
        ...(issuer !== undefined && { issuer }),
      };
    }
    // Registered for another way back: servers that take exact addresses only would refuse.
    const isOurs = stored?.redirect_uris?.includes(redirectUrl) ?? true;
    return isOurs ? stored : undefined;
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    const { client_secret, ...rest } = client;
    const isGiven = this.#identity.clientId !== undefined;
    this.#save("client", isGiven || client_secret === undefined ? rest : client);
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#memory.read().tokens as StoredOAuthTokens | undefined;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    const earlier = this.tokens();
    // A refresh may leave out the refresh token, which then stays what it was: at its own issuer.
    const kept = earlier?.issuer === tokens.issuer ? earlier?.refresh_token : undefined;
    const refresh = tokens.refresh_token ?? kept;
    // The server may name another issuer next time, and is asked anew.
    this.#discovery = undefined;
    this.#save("tokens", { ...tokens, ...(refresh !== undefined && { refresh_token: refresh }) });
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    await this.#identity.openUrl(url);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    if (this.#verifier === undefined) throw new Error("No authorization was asked for.");
    return this.#verifier;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
    if (scope === "all" || scope === "verifier") this.#verifier = undefined;
    if (scope === "all" || scope === "discovery") this.#discovery = undefined;
    if (scope === "all" || scope === "client") this.#save("client", undefined);
    if (scope === "all" || scope === "tokens") this.#save("tokens", undefined);
  }

  #save(key: "client" | "tokens", value: unknown): void {
    this.#memory.update(({ [key]: _, ...others }) =>
      value === undefined ? others : { ...others, [key]: value },
    );
  }
}

type RegisteredClient = StoredOAuthClientInformation & {
  readonly redirect_uris?: readonly string[];
};
