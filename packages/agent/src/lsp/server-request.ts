import type { LanguageClient } from "./client/language-client.ts";

/** A file whose server is wanted, and for what. */
export interface ServerRequest<T> {
  /** Absolute. */
  readonly path: string;
  /** May be called again, with another server, if the first ends. */
  work(client: LanguageClient): Promise<T>;
}

/**
 * Does something with the server of a file. Throws `unavailable` where there is none or it does not
 * work.
 */
export type UseServer = <T>(request: ServerRequest<T>, signal: AbortSignal) => Promise<T>;
