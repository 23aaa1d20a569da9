import type { LanguageClient } from "./client/language-client.ts";

/** A request for the server of a file. */
export interface ServerRequest<T> {
  /** Absolute. */
  readonly path: string;
  /** May be called again with a new server if the first one ends. */
  work(client: LanguageClient): Promise<T>;
}

/**
 * Runs a function with the server of a file. Throws `unavailable` if there is none or it does not
 * work.
 */
export type UseServer = <T>(request: ServerRequest<T>, signal: AbortSignal) => Promise<T>;
