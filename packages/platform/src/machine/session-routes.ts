import { type AnyRoute, type ApiRequest, defineRoute } from "../api/route.ts";
import { objectOf, text } from "../organizations/route-schemas.ts";
import type { PlatformParts } from "../platform-parts.ts";
import {
  changeConflict,
  changeRequest,
  fork,
  forkRequest,
  undoneChanges,
  undoPreview,
} from "./change-schemas.ts";
import type { WithMachine } from "./machine-access.ts";
import {
  callPage,
  callQuery,
  machineCall,
  machineSession,
  messagePage,
  messageQuery,
  sessionId,
  sessionPage,
  sessionQuery,
  timeline,
  timelineQuery,
  workspaces,
} from "./session-schemas.ts";
import type {
  CallQuery,
  ChangeRequest,
  ForkRequest,
  MessageQuery,
  SessionQuery,
  TimelineQuery,
} from "./session-values.ts";

interface SessionParams {
  readonly session: string;
}

const base = "/v1/:organization/machine";
const one = `${base}/sessions/:session`;
const params = objectOf({ organization: text, session: sessionId });
const callParams = objectOf({
  organization: text,
  session: sessionId,
  call: { type: "string", pattern: "^[1-9][0-9]{0,14}$" },
});
const sidecarParams = objectOf({
  organization: text,
  session: sessionId,
  name: { type: "string", pattern: "^[A-Za-z0-9_-]{1,120}\\.txt$" },
});

const read = { method: "GET", permission: "Machine:Read" } as const;
const change = { method: "POST", permission: "Machine:Undo" } as const;

/** The API's routes for the sessions of agents on the server's machine. */
export function sessionRoutes(
  { audit }: Pick<PlatformParts, "audit">,
  withMachine: WithMachine,
): readonly AnyRoute[] {
  const undo = (redo: boolean): AnyRoute => {
    const action = redo ? "redo" : "undo";
    return defineRoute<ChangeRequest, unknown, SessionParams>({
      ...change,
      url: `${one}/${action}`,
      operationId: `${action}-machine-session`,
      summary: redo
        ? "Reverts the last undo of a session, or one of them."
        : "Undoes what the last changing call of a session did, or one of them. Later changes by others are kept.",
      schema: {
        params,
        body: changeRequest,
        response: { 200: undoneChanges, 409: changeConflict },
      },
      handle: async ({ principal, params: { session }, body }) => {
        const outcome = await withMachine(principal, (machine) => machine[action](session, body));
        if ("detail" in outcome) return { status: 409, body: outcome };
        const paths = outcome.undone.map(({ path }) => path);
        await audit.recordAlone(principal, {
          action: `machine.${action}`,
          target: session,
          detail: { call: body.call ?? null, paths: paths.slice(0, 20), count: paths.length },
        });
        return { status: 200, body: outcome };
      },
    });
  };
  return [
    defineRoute<unknown, SessionQuery>({
      ...read,
      url: `${base}/sessions`,
      operationId: "list-machine-sessions",
      summary: "Lists the sessions of agents on the server's machine, most recently used first.",
      schema: { querystring: sessionQuery, response: { 200: sessionPage } },
      handle: async ({ principal, query }) => ({
        status: 200,
        body: await withMachine(principal, (machine) => machine.listSessions(query)),
      }),
    }),
    defineRoute({
      ...read,
      url: `${base}/workspaces`,
      operationId: "list-machine-workspaces",
      summary: "Lists the directories that sessions worked in, most recently used first.",
      schema: { response: { 200: workspaces } },
      handle: async ({ principal }) => ({
        status: 200,
        body: await withMachine(principal, (machine) => machine.listWorkspaces()),
      }),
    }),
    defineRoute<unknown, unknown, SessionParams>({
      ...read,
      url: one,
      operationId: "get-machine-session",
      summary: "Shows one session.",
      schema: { params, response: { 200: machineSession } },
      handle: async ({ principal, params: { session } }) => ({
        status: 200,
        body: await withMachine(principal, (machine) => machine.getSession(session)),
      }),
    }),
    defineRoute<unknown, CallQuery, SessionParams>({
      ...read,
      url: `${one}/calls`,
      operationId: "list-machine-calls",
      summary: "Lists the calls of a session in the order in which they started.",
      schema: { params, querystring: callQuery, response: { 200: callPage } },
      handle: async ({ principal, params: { session }, query }) => ({
        status: 200,
        body: await withMachine(principal, (machine) => machine.listCalls(session, query)),
      }),
    }),
    defineRoute<unknown, TimelineQuery, SessionParams>({
      ...read,
      url: `${one}/timeline`,
      operationId: "get-machine-timeline",
      summary:
        "Shows the order of calls and messages of a session and its subagents, and when they ran and waited.",
      schema: { params, querystring: timelineQuery, response: { 200: timeline } },
      handle: async ({ principal, params: { session }, query }) => ({
        status: 200,
        body: await withMachine(principal, (machine) => machine.getTimeline(session, query)),
      }),
    }),
    defineRoute<unknown, unknown, SessionParams & { readonly call: string }>({
      ...read,
      url: `${one}/calls/:call`,
      operationId: "get-machine-call",
      summary: "Shows a whole call: arguments, result, diffs and outputs.",
      schema: { params: callParams, response: { 200: machineCall } },
      handle: async ({ principal, params: { session, call } }) => ({
        status: 200,
        body: await withMachine(principal, (machine) => machine.getCall(session, Number(call))),
      }),
    }),
    defineRoute<unknown, unknown, SessionParams & { readonly call: string }>({
      ...read,
      url: `${one}/calls/:call/undo`,
      operationId: "preview-machine-undo",
      summary:
        "Tells what undoing a call would change, or redoing it if it is an undo. Nothing is changed.",
      schema: { params: callParams, response: { 200: undoPreview, 409: changeConflict } },
      handle: async ({ principal, params: { session, call } }) => {
        const outcome = await withMachine(principal, (machine) =>
          machine.previewUndo(session, Number(call)),
        );
        return { status: "detail" in outcome ? 409 : 200, body: outcome };
      },
    }),
    defineRoute<unknown, MessageQuery, SessionParams>({
      ...read,
      url: `${one}/messages`,
      operationId: "list-machine-messages",
      summary: "Lists what was said in the session of an agent, oldest first.",
      schema: { params, querystring: messageQuery, response: { 200: messagePage } },
      handle: async ({ principal, params: { session }, query }) => ({
        status: 200,
        body: await withMachine(principal, (machine) => machine.listMessages(session, query)),
      }),
    }),
    defineRoute<unknown, unknown, SessionParams & { readonly name: string }>({
      ...read,
      url: `${one}/sidecars/:name`,
      operationId: "get-machine-sidecar",
      summary: "Returns the whole output of a call whose result was cut.",
      schema: {
        params: sidecarParams,
        response: { 200: { type: "string", contentMediaType: "text/plain" } },
      },
      handle: async ({ principal, params: { session, name } }) => {
        const { bytes, content } = await withMachine(principal, (machine) =>
          machine.openSidecar(session, name),
        );
        const headers = {
          "content-type": "text/plain; charset=utf-8",
          "content-length": String(bytes),
          "content-disposition": `attachment; filename="${name}"`,
        };
        return { status: 200, body: content, headers };
      },
    }),
    defineRoute<unknown, unknown, SessionParams>({
      ...read,
      url: `${one}/export`,
      operationId: "export-machine-session",
      summary: "Exports a session as one HTML page without scripts.",
      schema: { params, response: { 200: { type: "string", contentMediaType: "text/html" } } },
      handle: async ({ principal, params: { session } }) => {
        const { name, content } = await withMachine(principal, (machine) =>
          machine.exportSession(session),
        );
        const headers = {
          "content-type": "text/html; charset=utf-8",
          "content-disposition": `attachment; filename="${name}.html"`,
          "content-security-policy":
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
        };
        return { status: 200, body: content, headers };
      },
    }),
    undo(false),
    undo(true),
    defineRoute<ForkRequest, unknown, SessionParams>({
      ...change,
      url: `${one}/fork`,
      operationId: "fork-machine-session",
      summary: "Starts a session that begins with the messages of another.",
      schema: { params, body: forkRequest, response: { 201: fork } },
      handle: async ({ principal, params: { session }, body }) => {
        const made = await withMachine(principal, (machine) => machine.fork(session, body));
        await audit.recordAlone(principal, {
          action: "machine.fork",
          target: session,
          detail: { fork: made.id },
        });
        return { status: 201, body: made };
      },
    }),
    defineRoute({
      ...read,
      url: `${base}/events`,
      operationId: "watch-machine",
      summary: "Streams what happens in all sessions, from now or after Last-Event-ID.",
      schema: {
        response: {
          200: {
            type: "string",
            contentMediaType: "text/event-stream",
            description:
              "`call.started`, `call.ended`, `session.opened`, `session.closed`, `message`, and `reset` if events were missed and lists must be read again.",
          },
        },
      },
      handle: ({ principal, headers, signal }: ApiRequest) =>
        withMachine(principal, async (machine) => ({
          status: 200,
          events: machine.follow(headers["last-event-id"]?.toString(), signal),
        })),
    }),
  ];
}
