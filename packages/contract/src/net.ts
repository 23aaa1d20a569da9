/** A request to the net. */
export interface NetRequest {
  readonly url: string;
  /** `GET` unless said. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The whole time that it may take, redirects and body included; 30,000 unless said. */
  readonly timeoutMs?: number;
  /** How many bytes of the decoded body to take; what exceeds them is left. */
  readonly maxBytes?: number;
}

/** What came back. */
export interface NetResponse {
  /** Where the redirects led. */
  readonly url: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded: gzip, brotli and the like are taken off. */
  readonly body: Uint8Array;
  /** The body went on beyond `maxBytes`. */
  readonly truncated: boolean;
}

/** The net as a tool may use it: hosts that its grant names, at addresses that are safe to reach. */
export interface Net {
  /** Any status is a response. What can't be reached, or may not be, is a `ToolError`. */
  fetch(request: NetRequest): Promise<NetResponse>;
}
