import type { Wire } from "../api/wire.ts";
import { versionNumber } from "../versions/version-schemas.ts";

const nullableText = { anyOf: [{ type: "string" }, { type: "null" }] } as const;
const moment = { type: "string", format: "date-time" } as const;

const duration = {
  type: "integer",
  description: "The time that it ran, without waiting.",
} as const;

/** An asynchronous invocation and how far it is. */
export const asyncInvocation = {
  type: "object",
  properties: {
    id: { type: "string" },
    tool_id: { type: "string" },
    tool_version: versionNumber as typeof versionNumber,
    state: { type: "string", enum: ["queued", "running", "waiting", "ended"] },
    created_at: moment as typeof moment,
    updated_at: moment as typeof moment,
    waiting_for: {
      type: "array",
      description: "What it waits for, while it is waiting.",
      items: {
        type: "object",
        properties: {
          kind: { type: "string", enum: ["sleep", "question"] },
          until: moment as typeof moment,
          inbox_id: nullableText as typeof nullableText,
          question: nullableText as typeof nullableText,
        },
        required: ["kind", "until", "inbox_id", "question"],
      },
    },
    result: {
      description: "How it ended, with secrets masked, as in history. Null until it has ended.",
      anyOf: [
        {
          type: "object",
          properties: {
            succeeded: { type: "boolean", const: true },
            output: { type: "string" },
            duration_ms: duration as typeof duration,
          },
          required: ["succeeded", "output", "duration_ms"],
        },
        {
          type: "object",
          properties: {
            succeeded: { type: "boolean", const: false },
            exception_message: { type: "string" },
            exception_type: { type: "string" },
            exception_stack_trace: { type: "array", items: { type: "string" } },
            duration_ms: duration as typeof duration,
          },
          required: [
            "succeeded",
            "exception_message",
            "exception_type",
            "exception_stack_trace",
            "duration_ms",
          ],
        },
        { type: "null" },
      ],
    },
  },
  required: [
    "id",
    "tool_id",
    "tool_version",
    "state",
    "created_at",
    "updated_at",
    "waiting_for",
    "result",
  ],
} as const;

/** The response to an invoke request with `Prefer: respond-async`. */
export const acceptedReply = {
  type: "object",
  description:
    "Accepted, with `Prefer: respond-async`. The invocations run even if the server restarts.",
  properties: {
    invocations: {
      type: "array",
      items: {
        type: "object",
        properties: {
          id: { type: "string" },
          status_url: { type: "string" },
          events_url: { type: "string" },
          cancel_url: { type: "string" },
        },
        required: ["id", "status_url", "events_url", "cancel_url"],
      },
    },
  },
  required: ["invocations"],
} as const;

/** An asynchronous invocation and how far it is. */
export type AsyncInvocation = Wire<typeof asyncInvocation>;

/** The invocations that were accepted, one for each input. */
export type AcceptedInvocations = Wire<typeof acceptedReply>;
