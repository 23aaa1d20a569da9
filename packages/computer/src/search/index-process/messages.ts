import type { FoundText, TextQuery } from "@haft/contract";

/** What the index process is asked. */
export type IndexRequest =
  /** Make an index of a directory, given without links. */
  | ({ readonly type: "build"; readonly root: string } & IndexSizes)
  | {
      readonly type: "find";
      readonly id: number;
      readonly root: string;
      readonly query: TextQuery;
      /** What was changed since the last question. */
      readonly changed: readonly string[];
    }
  | { readonly type: "measure"; readonly root: string };

/** How large a tree may be. */
export interface IndexSizes {
  /** With more files there is no index. */
  readonly mostFiles?: number;
  /** With fewer it takes no threads: they need memory, and a moment to wake up. */
  readonly filesForCrew?: number;
}

/** What it answers. */
export type IndexReply =
  | { readonly type: "built"; readonly root: string; readonly isUsable: boolean }
  | {
      readonly type: "found";
      readonly id: number;
      /** Absent if only ripgrep can answer. */
      readonly found?: FoundText;
    }
  | { readonly type: "measured"; readonly measure: IndexMeasure };

/** How large an index is, and where. */
export interface IndexMeasure {
  readonly files: number;
  /** All memory that the process took for indexes. */
  readonly bytes: number;
  readonly processId: number;
}
