import { createSearchIndexes, type SearchIndexes } from "./search-index.ts";

/** The indexes of this process. All computers see the same files, so one process keeps them all. */
export const sharedSearchIndexes: SearchIndexes = createSearchIndexes();
