import type { Diagnostic } from "vscode-languageserver-types";
import { toPath } from "./to-path.ts";

/** Diagnostics that a server published for a file. */
export interface Published {
  readonly diagnostics: readonly Diagnostic[];
  /** Version of the document, if the server sends it. */
  readonly version: number | undefined;
  /** Sequence number of the message. */
  readonly order: number;
}

/** The diagnostics that a server published. */
export interface PublishedDiagnostics {
  take(params: PublishParams): void;
  latest(path: string): Published | undefined;
  /** Sequence number of the last message. */
  readonly order: number;
  /** Calls the listener for every message about a file, until the returned function is called. */
  follow(path: string, listener: () => void): () => void;
}

/** Parameters of `textDocument/publishDiagnostics`. */
export interface PublishParams {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: readonly Diagnostic[];
}

const maxFiles = 1_000;

/** Stores the last diagnostics of each file. */
export function createPublishedDiagnostics(): PublishedDiagnostics {
  const byPath = new Map<string, Published>();
  const listeners = new Set<{ readonly path: string; readonly listener: () => void }>();
  let order = 0;
  return {
    get order() {
      return order;
    },
    take: ({ uri, version, diagnostics }) => {
      const path = toPath(uri);
      if (path === undefined || !Array.isArray(diagnostics)) return;
      byPath.delete(path);
      byPath.set(path, { diagnostics, version, order: ++order });
      for (const oldest of byPath.keys()) {
        if (byPath.size <= maxFiles) break;
        byPath.delete(oldest);
      }
      for (const entry of [...listeners]) if (entry.path === path) entry.listener();
    },
    latest: (path) => byPath.get(path),
    follow: (path, listener) => {
      const entry = { path, listener };
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
  };
}
