import type { JsonSchema } from "@haft/contract";
import type { Invocation } from "../history/invocation-schemas.ts";
import { invocationCaller, nullableText } from "../history/source-schemas.ts";
import { idPattern } from "../new-id.ts";
import type { InvocationRow } from "../store/schema.ts";
import { versionNumber } from "../versions/version-schemas.ts";

const moment: JsonSchema = { type: "string", format: "date-time" };
const several: JsonSchema = {
  type: "array",
  maxItems: 50,
  uniqueItems: true,
  items: { type: "string", minLength: 1, maxLength: 500 },
  default: [],
};
const ids: JsonSchema = {
  type: "array",
  maxItems: 50,
  uniqueItems: true,
  items: { type: "string", pattern: idPattern },
  default: [],
};
const sources: JsonSchema = {
  type: "array",
  uniqueItems: true,
  items: {
    type: "string",
    enum: ["direct", "mcp", "schedule", "regular-conversation", "simulation-conversation"],
  },
  default: [],
};

// Of several values of a filter any will do. Those with `not_` leave out what has one of the values.
const filter: Readonly<Record<string, JsonSchema>> = {
  tool_id: ids,
  not_tool_id: ids,
  version: { ...several, description: "Exact versions, such as 1.2.0." },
  not_version: several,
  source: sources,
  not_source: sources,
  api_key: { ...several, description: "IDs or names of keys." },
  not_api_key: several,
  user_id: several,
  not_user_id: several,
  error: { ...several, description: "Types of exceptions." },
  not_error: several,
  succeeded: { type: "boolean" },
  from: { ...moment, description: "Started at this moment or later." },
  to: { ...moment, description: "Started before this moment." },
  query: {
    type: "string",
    maxLength: 1_000,
    description: "Words, or a phrase in quotes, in outputs and errors.",
  },
};

/** Which invocations to list. */
export const summaryQuery: JsonSchema = {
  type: "object",
  properties: {
    ...filter,
    limit: { type: "integer", minimum: 1, maximum: 200, default: 100 },
    continuation_token: { type: "string", pattern: "^\\d{1,16}-\\d{1,16}$" },
  },
};

/** Which invocations to count. */
export const volumeQuery: JsonSchema = {
  type: "object",
  properties: {
    ...filter,
    buckets: { type: "integer", minimum: 1, maximum: 500, default: 60 },
  },
};

/** Which invocations to count, and by what. */
export const statisticsQuery: JsonSchema = {
  type: "object",
  properties: {
    ...filter,
    group_by: { type: "string", enum: ["tool", "version", "caller"], default: "tool" },
  },
};

const summary: JsonSchema = {
  type: "object",
  properties: {
    id: { type: "string" },
    created_at: moment,
    tool_id: { type: "string" },
    tool_version: versionNumber,
    succeeded: { type: "boolean" },
    duration_ms: { type: "integer" },
    source: { type: "string" },
    caller: invocationCaller,
    retry_of: nullableText,
    exception_type: nullableText,
    excerpt: {
      type: "string",
      description:
        "The beginning of the output or of the error's message; with a query, the text around a match.",
    },
  },
  required: [
    ...["id", "created_at", "tool_id", "tool_version", "succeeded", "duration_ms", "source"],
    ...["caller", "retry_of", "exception_type", "excerpt"],
  ],
};

/** A page of invocations without what they were given and returned. */
export const summaryPage: JsonSchema = {
  type: "object",
  properties: {
    invocations: { type: "array", items: summary },
    continuation_token: {
      ...nullableText,
      description:
        "Where the next page begins. Null on the last one. A filter that few invocations pass can leave a page short, or empty, although there are more.",
    },
  },
  required: ["invocations", "continuation_token"],
};

/** How many invocations there were over time. */
export const volumeReply: JsonSchema = {
  type: "object",
  properties: {
    from: moment,
    to: moment,
    bucket_ms: { type: "integer" },
    succeeded: { type: "array", items: { type: "integer" } },
    failed: { type: "array", items: { type: "integer" } },
    is_partial: {
      type: "boolean",
      description: "Whether a query found so many that only the newest are counted.",
    },
  },
  required: ["from", "to", "bucket_ms", "succeeded", "failed", "is_partial"],
};

/** How many invocations there were, how many failed, and how long they took. */
export const statisticsReply: JsonSchema = {
  type: "object",
  properties: {
    groups: {
      type: "array",
      items: {
        type: "object",
        properties: {
          tool_id: nullableText,
          tool_version: { anyOf: [versionNumber, { type: "null" }] },
          caller: invocationCaller,
          count: { type: "integer" },
          failed: { type: "integer" },
          p50_ms: {
            type: "integer",
            description:
              "Half took at most this long, within a third. Of more than 100,000 invocations, a part is looked at.",
          },
          p95_ms: { type: "integer" },
          max_ms: { type: "integer" },
          last_at: moment,
        },
        required: [
          ...["tool_id", "tool_version", "caller", "count", "failed", "p50_ms", "p95_ms"],
          ...["max_ms", "last_at"],
        ],
      },
    },
    is_partial: {
      type: "boolean",
      description:
        "Whether there are so many that only the newest are counted. Counts by tool or version that are filtered by tools, versions and time only are always complete.",
    },
  },
  required: ["groups", "is_partial"],
};

/** The members of a query that select invocations. */
export interface OverviewFilter {
  readonly tool_id: readonly string[];
  readonly not_tool_id: readonly string[];
  readonly version: readonly string[];
  readonly not_version: readonly string[];
  readonly source: readonly InvocationRow["source_type"][];
  readonly not_source: readonly InvocationRow["source_type"][];
  readonly api_key: readonly string[];
  readonly not_api_key: readonly string[];
  readonly user_id: readonly string[];
  readonly not_user_id: readonly string[];
  readonly error: readonly string[];
  readonly not_error: readonly string[];
  readonly succeeded?: boolean;
  readonly from?: string;
  readonly to?: string;
  readonly query?: string;
}

/** Which invocations to list. */
export interface SummaryQuery extends OverviewFilter {
  readonly limit: number;
  readonly continuation_token?: string;
}

/** Which invocations to count over time. */
export interface VolumeQuery extends OverviewFilter {
  readonly buckets: number;
}

/** Which invocations to count, and by what. */
export interface StatisticsQuery extends OverviewFilter {
  readonly group_by: "tool" | "version" | "caller";
}

/** An invocation without what it was given and returned. */
export interface InvocationSummary
  extends Pick<
    Invocation,
    "id" | "created_at" | "tool_id" | "tool_version" | "duration_ms" | "caller" | "retry_of"
  > {
  readonly succeeded: boolean;
  readonly source: string;
  readonly exception_type: string | null;
  readonly excerpt: string;
}

/** How many invocations of a tool, version or caller there were. */
export interface InvocationGroup {
  readonly tool_id: string | null;
  readonly tool_version: Invocation["tool_version"] | null;
  readonly caller: Invocation["caller"];
  readonly count: number;
  readonly failed: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly max_ms: number;
  readonly last_at: string;
}
