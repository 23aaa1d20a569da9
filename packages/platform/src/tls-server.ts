import { statSync } from "node:fs";
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { createSecureContext } from "node:tls";
import { readSmallFile } from "@haft/computer/internal";
import { toErrorMessage } from "@haft/contract/internal";

/** The files of a server's certificate, both in PEM format. */
export interface TlsFiles {
  /** The certificate, followed by those of its issuers. */
  readonly certificate: string;
  readonly key: string;
}

/**
 * Creates an HTTPS server. Files that have changed are used from the next connection on. Throws if
 * the files can't be used at the start.
 */
export function createTlsServer(
  files: TlsFiles,
  options: {
    readonly timeouts: ServerOptions;
    handle(request: IncomingMessage, response: ServerResponse): void;
    /** Receives why changed files are not used. The old ones stay. */
    onError?: ((error: Error) => void) | undefined;
  },
): Server {
  let stamp = stampOf(files);
  const server = createServer({ ...options.timeouts, ...read(files) }, options.handle);
  // Before the server's own listener, so that this connection gets the new certificate.
  server.prependListener("connection", () => {
    const now = stampOf(files);
    if (now === stamp) return;
    stamp = now;
    try {
      server.setSecureContext(read(files));
    } catch (error) {
      options.onError?.(error as Error);
    }
  });
  return server as unknown as Server;
}

function read({ certificate, key }: TlsFiles): { readonly cert: string; readonly key: string } {
  const pair = { cert: readPart(certificate), key: readPart(key) };
  try {
    createSecureContext(pair);
  } catch (error) {
    throw new Error(
      `${certificate} and ${key} can't be used as certificate and key: ${toErrorMessage(error)}. Use a matching pair in PEM format.`,
    );
  }
  return pair;
}

function readPart(path: string): string {
  const text = readSmallFile(path);
  if (text !== undefined) return text;
  throw new Error(`There is no file ${path}. Check the path.`);
}

/** Identifies the state of the files. While a file is being replaced it may be missing. */
function stampOf({ certificate, key }: TlsFiles): string {
  return [certificate, key]
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .map((found) => `${found?.ino} ${found?.mtimeMs} ${found?.size}`)
    .join(" ");
}
