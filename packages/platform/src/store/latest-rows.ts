import type { Generated } from "kysely";

/** A move of `latest` from one version of a tool to another. Null: to or from no version. */
export interface LatestMoveRow {
  seq: Generated<number>;
  org_id: string;
  tool_id: string;
  /** `1.2.3` */
  from_version: string | null;
  to_version: string | null;
  reason: "publish" | "promote" | "rollback" | "deprecate" | "restore";
  user_id: string;
  created_at: number;
}

/** A version that gets a part of the calls of `latest`. */
export interface CanaryRow {
  id: string;
  org_id: string;
  tool_id: string;
  version_id: string;
  /** `1.2.3` */
  version: string;
  percent: number;
  /** Such as `errors > 2x`. */
  abort_if: string;
  calls: number;
  errors: number;
  /** Of the version that `latest` names, since the canary started. */
  stable_calls: number;
  stable_errors: number;
  user_id: string;
  started_at: number;
  ended_at: number | null;
  outcome: "aborted" | "stopped" | "latest moved" | "deprecated" | null;
}
