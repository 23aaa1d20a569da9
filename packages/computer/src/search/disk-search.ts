import type { CallScope } from "@haft/core";
import type { Pinning } from "../disk/pin.ts";
import { FileListCache } from "./file-list-cache.ts";
import type { SearchIndexes } from "./index-process/search-index.ts";
import { sharedSearchIndexes } from "./index-process/shared-search-indexes.ts";
import { readIgnoreEnvironment } from "./outer-rules.ts";

/** Caches of searches on a disk. */
export interface DiskSearch {
  readonly lists: FileListCache;
  readonly indexes: SearchIndexes;
  /** Wraps a scope so that the indexes learn of its changes. */
  follow(scope: CallScope): CallScope;
}

/** Creates empty caches. */
export function createDiskSearch(pinning: Pinning, roots: readonly string[]): DiskSearch {
  const indexes = sharedSearchIndexes;
  return {
    lists: new FileListCache({ pinning, roots, environment: readIgnoreEnvironment() }),
    indexes,
    follow: (scope) => ({
      callId: scope.callId,
      grant: scope.grant,
      journal: scope.journal,
      isDenied: scope.isDenied,
      isNamed: scope.isNamed,
      changed: (path) => {
        indexes.noteChange(path);
        scope.changed(path);
      },
      // Created on first use.
      get signal() {
        return scope.signal;
      },
    }),
  };
}
