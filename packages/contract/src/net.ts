/** An HTTP request. */
export interface NetRequest {
  readonly url: string;
  /** Default: `GET`. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Time limit in milliseconds, including redirects and body. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Maximum number of bytes of the decoded body. The rest is dropped. */
  readonly maxBytes?: number;
}

/** An HTTP response. */
export interface NetResponse {
  /** The URL after redirects. */
  readonly url: string;
  readonly status: number;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, with gzip, brotli and similar encodings removed. */
  readonly body: Uint8Array;
  /** The body was longer than `maxBytes`. */
  readonly truncated: boolean;
}

/** Network access for a tool: the hosts in its grant, at addresses that are safe to reach. */
export interface Net {
  /** Sends a request. Any status is a response. Throws a `ToolError` if the host cannot or may not be reached. */
  fetch(request: NetRequest): Promise<NetResponse>;
}
