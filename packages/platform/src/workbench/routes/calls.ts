import { randomUUID } from "node:crypto";
import type { JsonValue, ToolResult } from "@haft/contract";
import type { Session } from "@haft/core";
import type { FastifyPluginAsync, FastifyReply } from "fastify";
import { errorReplySchema } from "../error-reply.ts";
import { keepRecentCalls } from "../recent-calls.ts";
import type { Approval, WorkbenchHost } from "../workbench-host.ts";

interface CallBody {
  readonly name: string;
  readonly arguments?: JsonValue;
  readonly approve?: boolean;
}

/** What a call came to. */
export interface CallReply {
  readonly id: string;
  readonly result: ToolResult;
  /** What has to be approved for the call to run. */
  readonly approval?: Approval;
}

const callSchema = {
  body: {
    type: "object",
    properties: {
      name: { type: "string", minLength: 1 },
      arguments: {},
      approve: { type: "boolean" },
    },
    required: ["name"],
    additionalProperties: false,
  },
  response: {
    200: {
      type: "object",
      properties: { id: { type: "string" }, result: {}, approval: {} },
      required: ["id", "result"],
    },
    "4xx": errorReplySchema,
  },
} as const;

const listSchema = {
  response: {
    200: { type: "array", items: { type: "object", additionalProperties: true } },
  },
} as const;

/** Makes calls, and lists those that were made. */
export function callRoutes(parts: {
  readonly session: Session;
  readonly host: WorkbenchHost;
}): FastifyPluginAsync {
  const { session, host } = parts;
  const recentCalls = keepRecentCalls(session);

  const call = async (body: CallBody, signal: AbortSignal): Promise<CallReply> => {
    const id = randomUUID();
    const request = { id, name: body.name, arguments: body.arguments ?? {} };
    session.startTurn();
    host.expect(id, body.approve ?? false);
    const result = await session.call(request, { signal });
    const approval = host.forget(id);
    return { id, result, ...(approval === undefined ? {} : { approval }) };
  };

  return async (server) => {
    server.get("/calls", { schema: listSchema }, async () => recentCalls());
    server.post<{ Body: CallBody }>("/calls", { schema: callSchema }, (request, reply) =>
      call(request.body, whenGone(reply)),
    );
  };
}

/** Fires when the one who asked goes away before the reply is out. */
function whenGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
