import type { FoundText, TextQuery } from "@haft/contract";

/** Requests to the index process. */
export type IndexRequest =
  /** Build an index of a directory, given without links. */
  | ({ readonly type: "build"; readonly root: string } & IndexSizes)
  | {
      readonly type: "find";
      readonly id: number;
      readonly root: string;
      readonly query: TextQuery;
      /** Paths changed since the last request. */
      readonly changed: readonly string[];
    }
  | { readonly type: "measure"; readonly root: string };

/** How large a tree may be. */
export interface IndexSizes {
  /** With more files there is no index. */
  readonly maxFiles?: number;
  /** With fewer it uses no threads: they need memory, and time to wake up. */
  readonly filesForCrew?: number;
}

/** Replies of the index process. */
export type IndexReply =
  | { readonly type: "built"; readonly root: string; readonly isUsable: boolean }
  | {
      readonly type: "found";
      readonly id: number;
      /** Absent if only ripgrep can answer. */
      readonly found?: FoundText;
    }
  | { readonly type: "measured"; readonly measure: IndexMeasure };

/** The size of an index. */
export interface IndexMeasure {
  readonly files: number;
  /** All memory that the process uses for indexes. */
  readonly bytes: number;
  readonly processId: number;
}
