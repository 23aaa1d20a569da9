/** A fetched page, as bytes. */
export interface FetchedPage {
  /** Its URL after redirects. */
  readonly url: string;
  /** The `Content-Type` header; empty if there is none. */
  readonly contentType: string;
  readonly body: Uint8Array;
  /** The end of the body is missing. */
  readonly isTruncated: boolean;
}

/** A page as text. */
export interface ConvertedPage {
  readonly title?: string | undefined;
  readonly text: string;
  /** Its type, without parameters. */
  readonly contentType: string;
  /** What a reader must know in addition to the text. */
  readonly notes: readonly string[];
}

/**
 * Converts a page to text, or throws a `ToolError`. For untrusted pages, run the conversion where it
 * can be stopped, such as a worker thread: a PDF can keep its reader busy forever.
 */
export type PageConverter = (page: FetchedPage, signal: AbortSignal) => Promise<ConvertedPage>;
