/** Invokes a tool at the times that a cron expression names. */
export interface ScheduleRow {
  id: string;
  org_id: string;
  /** Unique in the organization. */
  name: string;
  tool_id: string;
  /** Exact, `latest` or a constraint. */
  version: string;
  cron: string;
  /** Such as `Europe/Berlin`. */
  time_zone: string;
  /** Sealed JSON: the parameters of the tool. */
  input: string;
  /** JSON: the same without secrets of the tool. */
  shown_input: string;
  /** What becomes of times at which no process ran. */
  missed: "run" | "skip";
  /** What becomes of a time at which the previous run has not ended. */
  overlap: "skip" | "queue";
  state: "active" | "paused";
  /** Why the platform paused it; null if a user did. */
  pause_reason: string | null;
  /** The user and the key that it runs with. */
  user_id: string;
  key_id: string;
  created_at: number;
  updated_at: number;
  /** The time of its next run; null while it is paused. */
  next_at: number | null;
}

/** What became of one time of a schedule, or of a run that a user started. */
export interface ScheduleRunRow {
  id: string;
  schedule_id: string;
  /** The time, which no other run of the schedule has; null for a run that a user started. */
  moment: number | null;
  state: "started" | "queued" | "skipped" | "missed" | "refused";
  /** The number of times that were missed and that this run stands for. */
  missed: number;
  invocation_id: string | null;
  /** Why it was not started. */
  detail: string | null;
  created_at: number;
}
