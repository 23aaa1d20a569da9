import type { Filled, Wire } from "../api/wire.ts";
import { idPattern } from "../new-id.ts";
import { versionNumber } from "../versions/version-schemas.ts";

const printedText = {
  type: "object",
  properties: {
    text: {
      type: "string",
      description:
        "The first and the last 32 KB, with a line between them that says how much was left out. Secrets are masked.",
    },
    omitted_characters: { type: "integer" },
  },
  required: ["text", "omitted_characters"],
} as const;

/** What an invocation printed. */
export const logs = {
  type: "object",
  description: "What the tool printed.",
  properties: {
    stdout: printedText as typeof printedText,
    stderr: printedText as typeof printedText,
  },
  required: ["stdout", "stderr"],
} as const;

/** What one invocation printed. */
export const logsReply = {
  type: "object",
  properties: {
    invocation_id: { type: "string" },
    is_running: {
      type: "boolean",
      description: "Whether the invocation still runs. Its output is updated every second.",
    },
    stdout: printedText as typeof printedText,
    stderr: printedText as typeof printedText,
  },
  required: ["invocation_id", "is_running", "stdout", "stderr"],
} as const;

/** Which running invocations to list. */
export const runningQuery = {
  type: "object",
  properties: {
    tool_id: {
      type: "array",
      uniqueItems: true,
      items: { type: "string", pattern: idPattern as string },
      default: [],
    },
  },
} as const;

/** The invocations that run now. */
export const runningReply = {
  type: "object",
  properties: {
    running_invocations: {
      type: "array",
      items: {
        type: "object",
        properties: {
          id: { type: "string" },
          tool_id: { type: "string" },
          tool_version: versionNumber as typeof versionNumber,
          started_at: { type: "string", format: "date-time" },
          logs: logs as typeof logs,
          is_async: {
            type: "boolean",
            description: "Whether it outlives its connection, and so can be cancelled.",
          },
        },
        required: ["id", "tool_id", "tool_version", "started_at", "logs", "is_async"],
      },
    },
  },
  required: ["running_invocations"],
} as const;

/** What an invocation printed to standard output and standard error. */
export type PrintedLogs = Wire<typeof logs>;

/** What one invocation printed, and whether it still runs. */
export type InvocationLogs = Wire<typeof logsReply>;

/** The invocations that run now. */
export type RunningInvocations = Wire<typeof runningReply>;

/** Which running invocations to list, with defaults filled in. */
export type FilledRunningQuery = Filled<typeof runningQuery>;
