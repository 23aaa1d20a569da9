import type { Filled, Wire } from "../api/wire.ts";
import { idPattern } from "../new-id.ts";

const textOrNull = { anyOf: [{ type: "string" }, { type: "null" }] } as const;
const moment = { type: "string", format: "date-time" } as const;
const momentOrNull = {
  anyOf: [moment as typeof moment, { type: "null" }],
} as const;
const missed = { type: "string", enum: ["run", "skip"] } as const;
const overlap = { type: "string", enum: ["skip", "queue"] } as const;

/** A schedule to create. */
export const newScheduleBody = {
  type: "object",
  properties: {
    cron: {
      type: "string",
      minLength: 1,
      maxLength: 200,
      description: "Five fields such as `0 6 * * MON-FRI`, or a name such as `@daily`.",
    },
    input: {
      type: "object",
      default: {},
      description: "The parameters of the tool. They must match the input schema of the version.",
    },
    name: {
      type: "string",
      pattern: "^(?![a-f0-9]{24}$)[a-zA-Z0-9_][a-zA-Z0-9_-]{0,63}$",
      description: "Up to 64 letters, digits, - and _. Default: the name of the tool.",
    },
    version: {
      type: "string",
      minLength: 1,
      maxLength: 200,
      default: "latest",
      description: "An exact version, `latest` or a constraint, chosen at each run.",
    },
    time_zone: { type: "string", minLength: 1, maxLength: 100, default: "UTC" },
    missed: {
      ...missed,
      default: "run",
      description: "Whether to run once for all times that were missed, or to skip them.",
    } as { readonly type: "string"; readonly enum: typeof missed.enum; readonly default: "run" },
    overlap: {
      ...overlap,
      default: "skip",
      description:
        "Whether to skip a time at which the previous run has not ended, or to run when it has.",
    } as { readonly type: "string"; readonly enum: typeof overlap.enum; readonly default: "skip" },
    paused: { type: "boolean", default: false },
  },
  required: ["cron"],
} as const;

/** A run of a schedule. */
export const scheduleRun = {
  type: "object",
  properties: {
    id: { type: "string" },
    time: {
      ...momentOrNull,
      description: "The time that the schedule names. Null for a run that a user started.",
    } as typeof momentOrNull,
    state: {
      type: "string",
      enum: ["started", "queued", "skipped", "missed", "refused"],
    },
    missed: { type: "integer", description: "How many times were missed before it, up to 100." },
    invocation_id: textOrNull as typeof textOrNull,
    succeeded: {
      anyOf: [{ type: "boolean" }, { type: "null" }],
      description: "How the invocation ended. Null if it has not, or there is none.",
    },
    detail: { ...textOrNull, description: "Why it was not started." } as typeof textOrNull,
    created_at: moment as typeof moment,
  },
  required: ["id", "time", "state", "missed", "invocation_id", "succeeded", "detail", "created_at"],
} as const;

/** A schedule. */
export const scheduleReply = {
  type: "object",
  properties: {
    id: { type: "string" },
    name: { type: "string" },
    tool_id: { type: "string" },
    tool_name: { type: "string" },
    version: { type: "string" },
    cron: { type: "string" },
    time_zone: { type: "string" },
    input: { description: "The parameters of the tool, with secrets masked." },
    missed: missed as typeof missed,
    overlap: overlap as typeof overlap,
    state: { type: "string", enum: ["active", "paused"] },
    pause_reason: {
      ...textOrNull,
      description: "Why the platform paused it. Null if a user did.",
    } as typeof textOrNull,
    user_id: { type: "string", description: "The user that it runs as." },
    api_key_id: {
      type: "string",
      description: "The key whose permissions are checked at each run.",
    },
    created_at: moment as typeof moment,
    updated_at: moment as typeof moment,
    next_time: momentOrNull as typeof momentOrNull,
    runs: {
      type: "array",
      items: scheduleRun as typeof scheduleRun,
      description: "Its last 20 runs, the newest first. Only if one schedule is shown.",
    },
  },
  required: [
    "id",
    "name",
    "tool_id",
    "tool_name",
    "version",
    "cron",
    "time_zone",
    "input",
    "missed",
    "overlap",
    "state",
    "pause_reason",
    "user_id",
    "api_key_id",
    "created_at",
    "updated_at",
    "next_time",
  ],
} as const;

/** The schedules of an organization. */
export const scheduleList = {
  type: "object",
  properties: { schedules: { type: "array", items: scheduleReply as typeof scheduleReply } },
  required: ["schedules"],
} as const;

/** Which schedules to list. */
export const scheduleQuery = {
  type: "object",
  properties: {
    tool_id: {
      type: "array",
      maxItems: 100,
      items: { type: "string", pattern: idPattern as string },
      default: [],
    },
  },
} as const;

/** The organization and the schedule in a path. */
export const scheduleParams = {
  type: "object",
  properties: {
    organization: { type: "string" },
    schedule_id: {
      type: "string",
      pattern: "^[a-zA-Z0-9_][a-zA-Z0-9_-]{0,63}$",
      description: "ID or name of the schedule.",
    },
  },
  required: ["organization", "schedule_id"],
} as const;

/** A schedule to create. */
export type NewSchedule = Wire<typeof newScheduleBody>;

/** A schedule to create, with defaults filled in. */
export type FilledSchedule = Filled<typeof newScheduleBody>;

/** A schedule. */
export type Schedule = Wire<typeof scheduleReply>;

/** A schedule with its last runs, the newest first. */
export type ScheduleWithRuns = Schedule & { readonly runs: readonly ScheduleRun[] };

/** A run of a schedule. */
export type ScheduleRun = Wire<typeof scheduleRun>;

/** Which schedules to list. */
export type FilledScheduleQuery = Filled<typeof scheduleQuery>;
