import type { Filled, Wire } from "../api/wire.ts";

const textOrNull = { anyOf: [{ type: "string" }, { type: "null" }] } as const;

/** Which version to try with which recorded inputs. */
export const shadowBody = {
  type: "object",
  properties: {
    candidate: { type: "string", maxLength: 40, description: "An exact version." },
    since: { type: "string", format: "date-time" },
    ignore: {
      type: "array",
      maxItems: 50,
      default: [],
      items: { type: "string", maxLength: 500 },
      description: "Paths of JSON outputs to leave out, such as `items.*.updated_at`.",
    },
    against: {
      type: "string",
      enum: ["recorded", "latest"],
      default: "recorded",
      description:
        "What to compare with: the recorded outputs, or those of the latest version, which is then run in simulation mode too.",
    },
    limit: { type: "integer", minimum: 1, maximum: 1_000, default: 100 },
  },
  required: ["candidate", "since"],
} as const;

const difference = {
  type: "object",
  properties: {
    invocation_id: { type: "string" },
    // The version of the recorded invocation.
    version: { type: "string" },
    kind: { type: "string", enum: ["output", "error", "now-fails", "now-succeeds", "refused"] },
    changes: {
      type: "array",
      items: {
        type: "object",
        properties: {
          path: { type: "string" },
          before: textOrNull as typeof textOrNull,
          after: textOrNull as typeof textOrNull,
        },
        required: ["path", "before", "after"],
      },
    },
  },
  required: ["invocation_id", "version", "kind", "changes"],
} as const;

/** What the comparison found. */
export const shadowReply = {
  type: "object",
  properties: {
    candidate: { type: "string" },
    against: { type: "string" },
    compared: { type: "integer" },
    same: { type: "integer" },
    different: { type: "integer" },
    skipped: { type: "integer" },
    differences: { type: "array", items: difference as typeof difference },
    skips: {
      type: "array",
      items: {
        type: "object",
        properties: { invocation_id: { type: "string" }, reason: { type: "string" } },
        required: ["invocation_id", "reason"],
      },
    },
    // Whether there are more invocations than `limit`.
    has_more: { type: "boolean" },
  },
  required: [
    "candidate",
    "against",
    "compared",
    "same",
    "different",
    "skipped",
    "differences",
    "skips",
    "has_more",
  ],
} as const;

/** Which version to try with which recorded inputs. */
export type ShadowRequest = Wire<typeof shadowBody>;

/** The same with defaults filled in. */
export type FilledShadowRequest = Filled<typeof shadowBody>;

/** What the comparison found. */
export type ShadowReport = Wire<typeof shadowReply>;

/** A recorded input with another result. */
export type ShadowDifference = Wire<typeof difference>;
