import type { Diagnostic } from "vscode-languageserver-types";
import { toPath } from "./to-path.ts";

/** What a server said by itself about a file. */
export interface Published {
  readonly diagnostics: readonly Diagnostic[];
  /** The version of the file, if the server tells. */
  readonly version: number | undefined;
  /** When: it grows with every message. */
  readonly order: number;
}

/** What a server says by itself about files. */
export interface PublishedDiagnostics {
  take(params: PublishParams): void;
  latest(path: string): Published | undefined;
  /** The number of the last message. */
  readonly order: number;
  /** Calls back at every message about a file until the returned function is called. */
  follow(path: string, listener: () => void): () => void;
}

/** As the protocol has it. */
export interface PublishParams {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: readonly Diagnostic[];
}

const mostFiles = 1_000;

/** Keeps the latest that was said about each file. */
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
        if (byPath.size <= mostFiles) break;
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
