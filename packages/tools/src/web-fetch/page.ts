/** What came of a URL, still as bytes. */
export interface FetchedPage {
  /** Where it came from, after redirects. */
  readonly url: string;
  /** As the server says it; empty if it does not. */
  readonly contentType: string;
  readonly body: Uint8Array;
  /** The body went on, and its end is missing. */
  readonly isTruncated: boolean;
}

/** A page as text. */
export interface ConvertedPage {
  readonly title?: string | undefined;
  readonly text: string;
  /** What it is, without parameters. */
  readonly contentType: string;
  /** What a reader has to know beside the text. */
  readonly notes: readonly string[];
}

/**
 * Makes text of a page, or throws a `ToolError`. A host that fetches what strangers wrote runs
 * `convertPage` where it can be stopped: a PDF can keep its reader busy for ever.
 */
export type PageConverter = (page: FetchedPage, signal: AbortSignal) => Promise<ConvertedPage>;
