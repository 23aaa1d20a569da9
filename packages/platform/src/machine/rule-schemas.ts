import type { JsonSchema } from "@haft/contract";
import { listOf, moment, objectOf, text } from "../organizations/route-schemas.ts";
import { orNull, period, usageMembers } from "./session-schemas.ts";

const count: JsonSchema = { type: "integer", minimum: 0 };
const flag: JsonSchema = { type: "boolean" };
const action: JsonSchema = { type: "string", enum: ["allow", "ask", "deny"] };
const path: JsonSchema = { type: "string", minLength: 1, maxLength: 4096 };
const sessionName: JsonSchema = {
  type: "string",
  pattern: "^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$",
};
const line: JsonSchema = { type: "string", minLength: 1, maxLength: 2_000 };
const days: JsonSchema = { type: "integer", minimum: 1, maximum: 3650, default: 30 };

export const rulesQuery: JsonSchema = {
  type: "object",
  properties: { workspace: path, session: { ...sessionName, default: "default" } },
  required: ["workspace"],
};

export const machineRules: JsonSchema = objectOf({
  workspace: text,
  session: text,
  scopes: listOf(
    objectOf({
      scope: text,
      file: orNull(text),
      rules: listOf(
        objectOf({
          rule: { ...text, description: "As a line." },
          permission: text,
          pattern: text,
          action,
          when: orNull(text),
          line: { ...orNull(count), description: "From 1. Null for rules that are not in a file." },
          trusted: { ...flag, description: "Whether it may allow something." },
        }),
      ),
    }),
  ),
});

export const callCheckRequest: JsonSchema = {
  type: "object",
  properties: {
    workspace: path,
    session: { ...sessionName, default: "default" },
    tool: { type: "string", minLength: 1, maxLength: 200 },
    arguments: { description: "Default: none." },
    rules: { ...listOf(line), maxItems: 50, description: "Rules to try in addition, as lines." },
  },
  required: ["workspace", "tool"],
};

export const callChecked: JsonSchema = objectOf({
  action,
  stage: text,
  rule: orNull(text),
  why: text,
  remedy: orNull(text),
  unchecked: { ...listOf(text), description: "What is known only when the call runs." },
  uses: {
    ...listOf(
      objectOf({
        type: { type: "string", enum: ["file", "host", "command", "name"] },
        key: { ...text, description: "The path, host, command or name." },
        mode: { type: "string", enum: ["read", "write"] },
        effects: {
          ...listOf(text),
          description: "What the programs of a command are known to do.",
        },
      }),
    ),
    description: "What the call touches. Empty if its arguments are not valid.",
  },
  layers: listOf(
    objectOf({
      layer: text,
      action: {
        type: "string",
        enum: ["allow", "ask", "deny", "none"],
        description: "`none`: no rule of this origin is about the call.",
      },
      rule: orNull(text),
      why: text,
    }),
  ),
});

export const simulateRequest: JsonSchema = {
  type: "object",
  properties: {
    rule: {
      ...{ type: "string", minLength: 1, maxLength: 20_000 },
      description: "Such as `bash git log allow`. Several rules are on lines of their own.",
    },
    workspace: { ...path, description: "Default: all workspaces." },
    days,
    limit: { type: "integer", minimum: 0, maximum: 500, default: 50 },
  },
  required: ["rule"],
};

export const simulationReport: JsonSchema = objectOf({
  rule: text,
  sessions: count,
  calls: count,
  changed: { ...count, description: "How many calls would have had another verdict." },
  totals: listOf(objectOf({ before: action, after: action, count })),
  changes: listOf(
    objectOf({
      ...{ session: text, call_id: text, time: moment, tool: text, call: text },
      ...{ before: action, after: action },
    }),
  ),
  omitted: count,
  not_judged: objectOf({ masked: count, incomplete: count, unavailable: count }),
});

export const costQuery: JsonSchema = {
  type: "object",
  properties: {
    workspace: path,
    agent: { type: "string", minLength: 1, maxLength: 200 },
    since: { ...period.since, description: "Default: 30 days ago." },
    until: { ...period.until, description: "Default: now." },
  },
};

export const machineCost: JsonSchema = objectOf({
  since: moment,
  until: moment,
  total: objectOf({ ...usageMembers, requests: count, calls: count, result_tokens: count }),
  requests: {
    ...listOf(objectOf({ day: text, agent: text, model: text, requests: count, ...usageMembers })),
    description: "What providers reported, by day (UTC), agent and model.",
  },
  tools: {
    ...listOf(
      objectOf({
        ...{ day: text, tool: text, calls: count, errors: count, result_tokens: count },
        duration_ms: { type: "number" },
      }),
    ),
    description: "Results by day (UTC) and tool. Tokens are estimated, each result counts once.",
  },
});

export const unusedQuery: JsonSchema = {
  type: "object",
  properties: { workspace: path, days },
  required: ["workspace"],
};

export const unusedTools: JsonSchema = objectOf({
  workspace: text,
  definition_tokens: count,
  tools: listOf(
    objectOf({
      ...{ tool: text, source: text, definition_tokens: count },
      shown: { ...flag, description: "Whether models see it without searching." },
    }),
  ),
});
