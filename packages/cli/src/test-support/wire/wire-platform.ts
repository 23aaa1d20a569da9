import type { ServerResponse } from "node:http";

/** A request as it came, its body read as JSON. */
export interface WireRequest {
  readonly method: string;
  /** Without the organization: `/tool/`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

/** Answers a request; `false` for one that it does not know. */
export type WireHandler = (request: WireRequest, response: ServerResponse) => boolean;

export const organization = `${"0".repeat(23)}a`;
export const userId = `${"0".repeat(23)}b`;
export const apiKeyId = `${"0".repeat(23)}c`;

/** A tool as the wire has it. */
export function wireTool(name: string, more: Readonly<Record<string, unknown>> = {}) {
  const user = { org_id: organization, user_id: userId };
  return {
    id: Buffer.from(name.padEnd(12, "_")).toString("hex").slice(0, 24),
    org_id: organization,
    created_at: "2026-01-02T03:04:05.000Z",
    updated_at: "2026-01-02T03:04:05.000Z",
    name,
    description: `Does ${name}.`,
    deprecated: false,
    envvars: ["REGION"],
    secret_envvars: ["TOKEN"],
    tags: [{ key: "team", value: "blue" }],
    creator: user,
    updated_by: user,
    ...more,
  };
}

/** A version as the wire has it. */
export function wireVersion(major: number, more: Readonly<Record<string, unknown>> = {}) {
  const user = { user_id: userId, user_org_id: organization };
  return {
    id: "0".repeat(24),
    org_id: organization,
    created_at: "2026-01-02T03:04:05.000Z",
    tool_id: wireTool("word_count").id,
    version: { major, minor: 0, patch: 0 },
    required_envvars: [],
    required_secret_envvars: [],
    input_schema: {},
    tool_commit_hash: "abcdef0123456789",
    amigo_scaffold_commit_hash: "0",
    project_directory: "word_count",
    lambda_version: major,
    creator: user,
    updated_by: user,
    deprecated: false,
    ...more,
  };
}

/** An invocation as history has it. */
export function wireInvocation(id: string, more: Readonly<Record<string, unknown>> = {}) {
  return {
    id,
    org_id: organization,
    created_at: "2026-01-02T03:04:05.000Z",
    invocation_status: { succeeded: true, output: `output of ${id}` },
    invocation_source: { type: "direct", user_id: userId },
    duration_ms: 12,
    tool_id: wireTool("word_count").id,
    tool_version: { major: 1, minor: 0, patch: 0 },
    inputs: {},
    ...more,
  };
}

/** Answers with JSON; without a body, with nothing. */
export function reply(response: ServerResponse, status: number, body?: unknown): true {
  if (body === undefined) response.writeHead(status).end();
  else response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  return true;
}

/** Answers with server-sent events. */
export function replyEvents(
  response: ServerResponse,
  events: readonly (readonly [string, unknown])[],
): true {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const [event, data] of events) {
    response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }
  response.end();
  return true;
}
