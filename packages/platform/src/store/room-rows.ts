/** A column of an invocation that is stored apart from its row when it is large. */
export type PayloadPart = "inputs" | "output" | "printed";

/** A large payload of an invocation. */
export interface InvocationPayloadRow {
  /** Of the invocation. */
  id: string;
  part: PayloadPart;
  /** Compressed with Zstandard. */
  data: Uint8Array;
}

/** How many invocations of a version began in an hour, of those that are in the search index. */
export interface InvocationHourRow {
  org_id: string;
  /** Since 1970. */
  hour: number;
  tool_id: string;
  major: number;
  minor: number;
  patch: number;
  count: number;
  succeeded: number;
  /** Of those that ever were. */
  max_ms: number;
  last_at: number;
}

/** How long the invocations of a tool are kept. */
export interface RetentionRow {
  org_id: string;
  /** Empty for all tools of the organization without a row of their own. */
  tool_id: string;
  /** Maximum age in days; null for no limit. */
  days: number | null;
  /** Maximum number of invocations of each tool; null for no limit. */
  count: number | null;
  updated_by_user_id: string;
  updated_at: number;
}
