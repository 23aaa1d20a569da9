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
  /** The approval as shown, or `true` to approve anything. */
  readonly approve?: Approval | boolean;
}

/** The outcome of a call. */
export interface CallReply {
  readonly id: string;
  readonly result: ToolResult;
  /** The approval that the call needs to run. */
  readonly approval?: Approval;
}

const callSchema = {
  body: {
    type: "object",
    properties: {
      name: { type: "string", minLength: 1 },
      arguments: {},
      approve: { anyOf: [{ type: "boolean" }, { type: "object" }] },
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

/** The routes that make calls and list recent ones. */
export function callRoutes(parts: {
  readonly session: Session;
  readonly host: WorkbenchHost;
}): FastifyPluginAsync {
  const { session, host } = parts;
  const recentCalls = keepRecentCalls(session);

  const call = async (body: CallBody, signal: AbortSignal): Promise<CallReply> => {
    const id = randomUUID();
    const request = { id, name: body.name, arguments: body.arguments ?? {} };
    session.startStep();
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

/** The route that lists the tools as a model would see them. */
export function toolsRoute({ session }: { readonly session: Session }): FastifyPluginAsync {
  return async (server) => {
    server.get("/tools", { schema: listSchema }, async () => {
      session.startStep();
      return session.tools();
    });
  };
}

/** Returns a signal that aborts when the caller disconnects before the reply is sent. */
function whenGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
