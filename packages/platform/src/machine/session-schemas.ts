import type { JsonSchema } from "@haft/contract";
import { listOf, moment, objectOf, text } from "../organizations/route-schemas.ts";

export const count: JsonSchema = { type: "integer", minimum: 0 };
const number: JsonSchema = { type: "number" };
const flag: JsonSchema = { type: "boolean" };

/** A value that may be null. */
export function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "null" }] };
}

/** Columns of a timeline. */
const integers = listOf({ type: "integer" });

/** A schema with a description. */
export const described = (description: string, schema: JsonSchema): JsonSchema => ({
  ...schema,
  description,
});

export const usageMembers: Readonly<Record<string, JsonSchema>> = {
  input_tokens: count,
  output_tokens: count,
  cached_tokens: count,
  cost: described("Null if a provider did not report it.", orNull(number)),
};

export const machineSession: JsonSchema = objectOf({
  id: text,
  name: text,
  workspace: text,
  workspace_exists: flag,
  title: orNull(text),
  agent: orNull(text),
  client: described("The MCP client that opened it, as its name says.", orNull(text)),
  state: described("`live`: a process that runs has it open.", {
    type: "string",
    enum: ["live", "ended"],
  }),
  parent: described("The session whose agent started it.", orNull(text)),
  forked_from: orNull(text),
  started_at: orNull(moment),
  last_used_at: moment,
  calls: count,
  errors: count,
  changed_files: count,
  result_tokens: described("Estimated tokens of the results that a model saw.", count),
  usage: described(
    "What providers reported. Null without an agent.",
    orNull(objectOf(usageMembers)),
  ),
  snippet: described("Text around the match of a search.", orNull(text)),
});

export const sessionPage: JsonSchema = objectOf({
  sessions: listOf(machineSession),
  has_more: flag,
  continuation_token: orNull(text),
});

const token: JsonSchema = { type: "string", pattern: "^[A-Za-z0-9_-]{1,400}$" };
const path: JsonSchema = { type: "string", minLength: 1, maxLength: 4096 };

/** A session in a path: the ID of its workspace, a slash (`%2F`), its name. */
export const sessionId: JsonSchema = {
  type: "string",
  pattern: "^[a-z0-9-]{1,64}/[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$",
};

export const period: Readonly<Record<"since" | "until", JsonSchema>> = {
  since: described("Only what was used at this time or later.", moment),
  until: described("Only what was used before this time.", moment),
};

export const sessionQuery: JsonSchema = {
  type: "object",
  properties: {
    workspace: path,
    agent: described("Name of an agent or of an MCP client.", {
      type: "string",
      minLength: 1,
      maxLength: 200,
    }),
    failed: described("Only sessions with failed calls. Default: false.", flag),
    state: { type: "string", enum: ["live", "ended"] },
    parent: described(
      "Only sessions of subagents that this session started. Default: sessions without a parent.",
      sessionId,
    ),
    ...period,
    query: described("Words in messages, calls and titles.", {
      type: "string",
      minLength: 1,
      maxLength: 500,
    }),
    limit: { type: "integer", minimum: 1, maximum: 100, default: 50 },
    continuation_token: token,
  },
};

export const workspaces: JsonSchema = objectOf({
  workspaces: listOf(objectOf({ path: text, exists: flag, sessions: count, last_used_at: moment })),
  agents: described("The agents and MCP clients that worked in them, by name.", listOf(text)),
});

const passage = objectOf({
  action: { type: "string", enum: ["allow", "ask", "deny"] },
  rule: orNull(text),
  scope: orNull(text),
  watched: described("The watchdog required approval.", flag),
  reviewed: described("The command's changes were judged after it had ended.", flag),
  answer: described("The answer of a person.", orNull(text)),
});

const listedMembers: Readonly<Record<string, JsonSchema>> = {
  id: described("Unique on this machine.", count),
  call_id: described("As the client named it. It may recur.", text),
  session: text,
  parent: described("The call that made this one.", orNull(count)),
  parent_call_id: orNull(text),
  child_session: described("The session of the subagent that it started.", orNull(text)),
  tool: text,
  name: described("As the model wrote it.", text),
  state: text,
  started_at: moment,
  duration_ms: number,
  asked_ms: described("How long a person was asked.", number),
  queued_ms: described("How long it waited for other calls.", number),
  title: described("The beginning of the arguments, in one line.", text),
  preview: described("The first lines of the result or error.", text),
  error_code: orNull(text),
  isolation: described("`none`, `capability` or `sandbox`.", orNull(text)),
  passage: described(
    "What was decided before it ran. Null if it was refused earlier.",
    orNull(passage),
  ),
  changed_files: listOf(text),
  changed_count: count,
  sidecar: described("Name of the file with the whole output.", orNull(text)),
  result_tokens: count,
};

export const callPage: JsonSchema = objectOf({
  calls: listOf(objectOf(listedMembers)),
  has_more: flag,
  continuation_token: orNull(text),
});

const several: JsonSchema = {
  ...listOf({ type: "string", minLength: 1, maxLength: 200 }),
  uniqueItems: true,
  maxItems: 50,
};

export const callQuery: JsonSchema = {
  type: "object",
  properties: {
    id: described("Only these.", {
      ...listOf({ type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      uniqueItems: true,
      maxItems: 100,
    }),
    state: several,
    tool: several,
    limit: { type: "integer", minimum: 1, maximum: 500, default: 100 },
    continuation_token: token,
  },
};

export const machineCall: JsonSchema = objectOf({
  ...listedMembers,
  arguments: described("As sent, with secrets masked.", {}),
  dialect: text,
  result_text: text,
  result: described("The recorded result.", {}),
  diffs: listOf(objectOf({ path: orNull(text), diff: text })),
  sidecars: listOf(objectOf({ name: text, bytes: count })),
  can_undo: described("Whether its changes stand and can be undone.", flag),
  can_redo: described("Whether it undid something that can be redone.", flag),
});

export const timelineQuery: JsonSchema = {
  type: "object",
  properties: {
    state: several,
    tool: several,
    changed: described("Only calls that changed files. Default: false.", flag),
    query: described("A text in names, arguments, first lines of results, and messages.", {
      type: "string",
      minLength: 1,
      maxLength: 500,
    }),
  },
};

export const timeline: JsonSchema = {
  ...objectOf({
    started_at: orNull(moment),
    sessions: listOf(text),
    tools: listOf(text),
    states: listOf(text),
    id: described("ID of the call, or `at` of the message.", integers),
    session: described("Index in `sessions`.", integers),
    parent: described("Index of the call that made it, or -1.", integers),
    tool: described("Index in `tools`, or -1 for a message.", integers),
    state: described(
      "Index in `states`: the state of the call, or the type of the message.",
      integers,
    ),
    start_ms: described("Since `started_at`.", listOf(number)),
    duration_ms: listOf(number),
    asked_ms: listOf(number),
    queued_ms: listOf(number),
    changed: described("Number of changed files.", integers),
    running: described(
      "The calls that run now.",
      listOf(objectOf({ session: text, call_id: text, name: text, started_at: moment })),
    ),
    omitted: described("Number of calls and messages left out because there are too many.", count),
  }),
  description:
    "Calls and messages as columns, in the order of reading: what a call made follows it. Index n of each is about the same one.",
};

export const messageQuery: JsonSchema = {
  type: "object",
  properties: {
    after: described("The `at` of the last message of the page before.", {
      type: "integer",
      minimum: 0,
      maximum: 2 ** 31 - 1,
      default: 0,
    }),
    limit: { type: "integer", minimum: 1, maximum: 200, default: 100 },
  },
};

export const messagePage: JsonSchema = objectOf({
  messages: listOf({
    type: "object",
    properties: {
      at: count,
      time: moment,
      type: text,
      text,
      agent: text,
      model: text,
      usage: { type: "object", properties: usageMembers },
      calls: described("The call IDs of the calls that a model requested.", listOf(text)),
      reason: text,
      error: text,
      files: described("The media types of attached files.", listOf(text)),
    },
    required: ["at", "time", "type", "text"],
  }),
  has_more: flag,
  continuation_token: orNull(count),
});
