import { readWorkspaceToken } from "../shell/take-from-address.ts";
import type { FieldSchema } from "../ui/schema-form.tsx";
import { ApiError } from "./client.ts";

// The tools of the directory where the server was started. They have a token of their own: who may
// manage an organization need not be allowed to change files on this machine.

/** What a call returns. */
export type WorkspaceResult = (
  | { readonly type: "output"; readonly data: unknown }
  | { readonly type: "error"; readonly error_text: string }
) & {
  readonly metadata: {
    readonly duration_ms: number;
    readonly isolation?: string;
    readonly warnings?: readonly string[];
  };
};

/** The answer to a call: its result, and what has to be approved for it to run. */
export interface WorkspaceReply {
  readonly id: string;
  readonly result: WorkspaceResult;
  readonly approval?: {
    readonly tool: string;
    readonly arguments: unknown;
    readonly reason: string;
  };
}

/** A tool, as an agent sees it. */
export interface WorkspaceTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: FieldSchema;
}

/** A call that has ended. */
export interface WorkspaceCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly state: string;
  readonly ended_at: string;
  readonly metadata: WorkspaceResult["metadata"];
  readonly error_text?: string;
}

/** Reads which directory the tools work in. */
export function readStatus(): Promise<{ readonly version: string; readonly workspace: string }> {
  return request("status");
}

/** Reads the tools. */
export function readTools(): Promise<readonly WorkspaceTool[]> {
  return request("tools");
}

/** Reads the calls since the server was started, the newest first. */
export function readCalls(): Promise<readonly WorkspaceCall[]> {
  return request("calls");
}

/** Calls a tool. What needs approval runs only if the approval is sent along. */
export function callWorkspace(call: {
  readonly name: string;
  readonly arguments: unknown;
  readonly approve?: unknown;
}): Promise<WorkspaceReply> {
  return request("calls", call);
}

async function request<Reply>(path: string, body?: unknown): Promise<Reply> {
  const response = await fetch(`/api/${path}`, {
    headers: {
      authorization: `Bearer ${readWorkspaceToken()}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    credentials: "omit",
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ApiError(0, "The server does not answer. Is it still running?");
  });
  if (response.ok) return (await response.json()) as Reply;
  if (response.status === 401) {
    throw new ApiError(
      401,
      "The token was not accepted. Each start of haft serve makes a new one.",
    );
  }
  if (response.status === 404) {
    throw new ApiError(
      404,
      "This server offers no tools of a workspace. Start haft serve on this machine.",
    );
  }
  const { error } = (await response.json().catch(() => ({}))) as { error?: { message?: string } };
  throw new ApiError(response.status, error?.message ?? `The server answered ${response.status}.`);
}
