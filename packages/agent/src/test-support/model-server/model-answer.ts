/** A call that the model makes. */
export interface ModelCall {
  /** Default: a generated id. */
  readonly id?: string;
  readonly name: string;
  /** A text goes over the wire as it is, for JSON that is broken. */
  readonly arguments: unknown;
}

/** How many tokens a request used. */
export interface ModelUsage {
  readonly input?: number;
  readonly output?: number;
  /** Of the input, what was there from before. */
  readonly cached?: number;
}

/** Why an answer ended, in the words of the AI SDK. */
export type ModelFinish = "stop" | "length" | "content-filter" | "tool-calls" | "other";

/** What a scripted model answers to one request. */
export interface ModelAnswer {
  /** The pieces in which it comes, if it is a list. */
  readonly text?: string | readonly string[];
  readonly reasoning?: string;
  readonly calls?: readonly ModelCall[];
  readonly usage?: ModelUsage;
  /** Default: `tool-calls` if there are calls, else `stop`. */
  readonly finish?: ModelFinish;
  /** An HTTP error instead of an answer. */
  readonly status?: number;
  /** What the error says: a sentence, put as the provider does, or the whole body. */
  readonly error?: unknown;
  /** Sent with whatever is answered, such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The connection breaks after so many events of the stream. */
  readonly dropAfter?: number;
  /** The stream ends after so many events, in good order but for what is missing. */
  readonly endAfter?: number;
  /** An error in the stream, as the provider tells of it, after so many events. */
  readonly failAfter?: number;
  /** Nothing more comes after so many events, until the client goes. */
  readonly hangAfter?: number;
  /** As `hangAfter: 0`: nothing but the headers comes. */
  readonly hang?: boolean;
  /** Waits before it answers at all. */
  readonly delayMs?: number;
}
