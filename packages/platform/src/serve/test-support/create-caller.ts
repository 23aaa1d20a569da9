/** An answer, as an outsider sees it. */
export interface Answer<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body read as JSON; `undefined` if it is something else. */
  readonly body: Body;
}

/** What goes along with a request. */
export interface CallOptions {
  readonly body?: unknown;
  /** Another than the caller's own; `null` for none. */
  readonly token?: string | null;
  /** Another than the caller's own. */
  readonly organization?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Who asks, and where. */
export interface CallerOptions {
  readonly url: string;
  readonly organization: string;
  readonly token: string;
  /** Looks at every answer. */
  onAnswer?(request: { readonly method: string; readonly path: string }, answer: Answer): void;
}

/** Sends a request to a path of the organization, such as `tool/`. */
export type Call = <Body = unknown>(
  method: string,
  path: string,
  options?: CallOptions,
) => Promise<Answer<Body>>;

/** Makes what sends requests over HTTP as one caller. */
export function createCaller(place: CallerOptions): Call {
  return async <Body>(method: string, path: string, options: CallOptions = {}) => {
    const { body, token = place.token, organization = place.organization, signal } = options;
    const response = await fetch(`${place.url}/v1/${organization}/${path}`, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...options.headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
    const text = await response.text();
    const { status, headers } = response;
    const answer: Answer<Body> = { status, headers, text, body: parse(text) as Body };
    place.onAnswer?.({ method, path }, answer);
    return answer;
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
