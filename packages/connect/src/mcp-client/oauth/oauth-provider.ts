import { randomBytes } from "node:crypto";
import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import type { OAuthMemory } from "./oauth-memory.ts";

/** How Haft identifies itself to authorization servers and opens their pages. */
export interface OAuthIdentity {
  readonly redirectUrl: string;
  /** The client ID for servers without dynamic registration. */
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** URL of our client metadata, for servers that accept a URL as client ID. */
  readonly clientMetadataUrl?: string | undefined;
  /** The scope to request if the server names none. */
  readonly scope?: string | undefined;
  /** Opens a URL in the person's browser. */
  openUrl(url: URL): void | Promise<void>;
}

/** State of the SDK's OAuth flow: authorization code with PKCE, and token refresh. */
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

  /** The `state` that the next redirect must carry. */
  get expectedState(): string | undefined {
    return this.#state;
  }

  /** Tells whether tokens are stored. */
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
    // A registration with another redirect URL would be refused by servers that compare it exactly.
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
    // A refresh may omit the refresh token; the old one of the same issuer then stays valid.
    const kept = earlier?.issuer === tokens.issuer ? earlier?.refresh_token : undefined;
    const refresh = tokens.refresh_token ?? kept;
    // The server may name another issuer next time, so discovery runs again.
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
    if (this.#verifier === undefined) throw new Error("No authorization request is pending.");
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
