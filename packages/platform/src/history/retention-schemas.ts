import type { Wire } from "../api/wire.ts";

const days = {
  type: ["integer", "null"],
  minimum: 1,
  maximum: 36_500,
  description: "Maximum age of an invocation, in days. Default: no limit.",
} as const;

const count = {
  type: ["integer", "null"],
  minimum: 1,
  maximum: 100_000,
  description: "Maximum number of invocations of each tool; the newest stay. Default: no limit.",
} as const;

/** What to set. */
export const retentionBody = {
  type: "object",
  properties: { days: days as typeof days, count: count as typeof count },
  additionalProperties: false,
} as const;

/** How long invocations are kept. */
export const retentionReply = {
  type: "object",
  properties: {
    days: days as typeof days,
    count: count as typeof count,
    set_for: {
      enum: ["tool", "organization", "server", null],
      description: "Where these limits were set. `null` if there are none.",
    },
  },
  required: ["days", "count", "set_for"],
} as const;

/** How long invocations are kept. */
export type Retention = Wire<typeof retentionReply>;

/** Limits on how long invocations are kept. */
export type RetentionLimits = Wire<typeof retentionBody>;
