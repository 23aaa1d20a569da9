import type { Wire } from "../api/wire.ts";

const versionOrNull = { anyOf: [{ type: "string" }, { type: "null" }] } as const;

/** A version by its exact number. */
export const exactVersionBody = {
  type: "object",
  properties: { version: { type: "string", maxLength: 40, description: "Such as `1.2.3`." } },
  required: ["version"],
} as const;

/** A move of `latest`. Null: to or from no version. */
export const latestMoveReply = {
  type: "object",
  properties: {
    from: versionOrNull as typeof versionOrNull,
    to: versionOrNull as typeof versionOrNull,
  },
  required: ["from", "to"],
} as const;

/** A version that gets a part of the calls of `latest`. */
export const canaryReply = {
  type: "object",
  properties: {
    version: { type: "string" },
    percent: { type: "integer" },
    abort_if: { type: "string" },
    calls: { type: "integer" },
    errors: { type: "integer" },
    // Of the version that `latest` names, since the canary started.
    stable_calls: { type: "integer" },
    stable_errors: { type: "integer" },
    user_id: { type: "string" },
    started_at: { type: "string", format: "date-time" },
    ended_at: { anyOf: [{ type: "string", format: "date-time" }, { type: "null" }] },
    // Why it ended: `aborted`, `stopped`, `latest moved` or `deprecated`.
    outcome: versionOrNull as typeof versionOrNull,
  },
  required: [
    "version",
    "percent",
    "abort_if",
    "calls",
    "errors",
    "stable_calls",
    "stable_errors",
    "user_id",
    "started_at",
    "ended_at",
    "outcome",
  ],
} as const;

/** What `latest` names, and its last 50 moves, the newest first. */
export const latestReply = {
  type: "object",
  properties: {
    latest: versionOrNull as typeof versionOrNull,
    // The canary that was started last, running or not.
    canary: { anyOf: [canaryReply as typeof canaryReply, { type: "null" }] },
    moves: {
      type: "array",
      items: {
        type: "object",
        properties: {
          from: versionOrNull as typeof versionOrNull,
          to: versionOrNull as typeof versionOrNull,
          reason: {
            type: "string",
            enum: ["publish", "promote", "rollback", "deprecate", "restore"],
          },
          user_id: { type: "string" },
          created_at: { type: "string", format: "date-time" },
        },
        required: ["from", "to", "reason", "user_id", "created_at"],
      },
    },
  },
  required: ["latest", "canary", "moves"],
} as const;

/** A canary to start. */
export const canaryBody = {
  type: "object",
  properties: {
    version: { type: "string", maxLength: 40, description: "Such as `1.2.3`." },
    percent: { type: "integer", minimum: 1, maximum: 99 },
    abort_if: {
      type: "string",
      maxLength: 100,
      default: "errors > 2x",
      description:
        "When the canary is taken back: `errors > 2x` (twice the error rate of the latest version) or `errors > 5%`.",
    },
  },
  required: ["version", "percent"],
} as const;

/** A move of `latest`. */
export type LatestMoveReply = Wire<typeof latestMoveReply>;

/** What `latest` names, and how it came to that. */
export type LatestReply = Wire<typeof latestReply>;

/** A version that gets a part of the calls of `latest`. */
export type Canary = Wire<typeof canaryReply>;

/** A canary to start. */
export type NewCanary = Wire<typeof canaryBody>;
