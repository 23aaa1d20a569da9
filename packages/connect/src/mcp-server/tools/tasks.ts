import type { InboxEntry, StoredQuestion } from "@haft/computer/internal";
import type { ToolResult } from "@haft/contract";
import {
  type CallToolResult,
  type ClientCapabilities,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { McpHost } from "../host/mcp-host.ts";
import { describeEntry } from "./call-status.ts";
import type { HeldCall } from "./held-call.ts";
import type { OpenCalls } from "./open-calls.ts";

/** The extension with which a server answers a call by a task. */
export const tasksExtension = "io.modelcontextprotocol/tasks";

/** A call that became a task. */
export interface TaskResult extends Readonly<Record<string, unknown>> {
  readonly resultType: "task";
  readonly taskId: string;
}

/** Answers the requests of the extension. */
export interface TaskHandlers {
  get(id: string): Promise<Readonly<Record<string, unknown>>>;
  update(id: string, responses: ServerContext["mcpReq"]["inputResponses"]): void;
  cancel(id: string): void;
}

const pollIntervalMs = 1_000;

/** Tells whether a client of the modern era declares that it understands tasks. */
export function hasTasks(capabilities: ClientCapabilities | undefined): boolean {
  return capabilities?.extensions?.[tasksExtension] !== undefined;
}

/** Returns the answer to a call that waits in the inbox. */
export function toTaskResult(question: StoredQuestion, call: HeldCall): TaskResult {
  const status = Object.keys(call.forms()).length > 0 ? "input_required" : "working";
  return { resultType: "task", ...toTask(question), status };
}

/** Creates the handlers. The ID of a task is that of its question in the inbox, which can't be guessed. */
export function createTasks(
  calls: OpenCalls,
  {
    host,
    toResult,
  }: { readonly host: McpHost; toResult(result: ToolResult, name: string): CallToolResult },
): TaskHandlers {
  const require = (id: string): InboxEntry => {
    const entry = host.inbox?.inbox.find(id);
    if (entry !== undefined && entry.question.workspace === host.inbox?.workspace) return entry;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no task ${id}.`);
  };
  const end = (result: ToolResult, name: string): Readonly<Record<string, unknown>> => {
    try {
      return { status: "completed", result: { resultType: "complete", ...toResult(result, name) } };
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return { status: "failed", error: { code: error.code, message: error.message } };
    }
  };
  return {
    get: async (id) => {
      require(id);
      const call = calls.find(id)?.call;
      const entry = require(id);
      const task = toTask(entry.question);
      const { state, progress, question } = entry;
      if (state === "cancelled") return { ...task, status: "cancelled" };
      const known = describeEntry(entry);
      if (typeof known !== "string") {
        const lastUpdatedAt = entry.end?.at ?? entry.decision?.at ?? task.lastUpdatedAt;
        return { ...task, lastUpdatedAt, ...end(known, question.name) };
      }
      const forms = Object.entries(call?.forms() ?? {});
      if (forms.length === 0 || progress !== "waiting") return { ...task, status: "working" };
      const requests = forms.map(([key, params]) => [
        key,
        { method: "elicitation/create", params },
      ]);
      return { ...task, status: "input_required", inputRequests: Object.fromEntries(requests) };
    },
    update: (id, responses) => {
      require(id);
      calls.answer(id, responses);
    },
    cancel: (id) => {
      const { state } = require(id);
      if (state === "waiting") {
        const by = { by: "haft", via: "tasks/cancel" };
        host.inbox?.inbox.decide(id, { answer: "cancelled", reason: undefined, ...by });
      }
      calls.running(id)?.cancel();
    },
  };
}

function toTask({ id, name, createdAt, deadlineAt, questions }: StoredQuestion) {
  const what = questions === undefined ? "approval" : "answer";
  return {
    taskId: id,
    statusMessage: `${name} waits for a person's ${what} until ${deadlineAt}: haft inbox answer ${id}`,
    createdAt,
    lastUpdatedAt: createdAt,
    // The inbox keeps results for a week after the deadline.
    ttlMs: null,
    pollIntervalMs,
  };
}
