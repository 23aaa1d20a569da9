import { type AnyRoute, type ApiReply, type ApiRequest, defineRoute } from "../api/route.ts";
import { wantsEvents } from "../api/stream-events.ts";
import { type Acceptance, toAccepted } from "../async/accept.ts";
import { acceptedReply } from "../async/async-schemas.ts";
import { mayReadTool } from "../history/log-routes.ts";
import { idPattern } from "../new-id.ts";
import { Problem } from "../problem.ts";
import type { InvokeOptions, Invoker, ReadyCall } from "./create-invoker.ts";
import type { Claim, Idempotency, KeptAnswer } from "./idempotency.ts";
import type { InvocationResult, InvokeRequest } from "./invoke-request.ts";
import { invokeBodySchema, invokeResponseSchema } from "./invoke-schema.ts";
import { streamInvocation } from "./stream-invocation.ts";

/** The services that the routes use. */
export interface InvokeServices {
  readonly invoker: Invoker;
  readonly idempotency: Idempotency;
  readonly acceptance: Acceptance;
}

interface Params {
  readonly tool_id: string;
  readonly version: string;
}

interface Query {
  readonly with_logs: boolean;
}

type InvokeApiRequest = ApiRequest<InvokeRequest, Query, Params>;

/** Returns the route that invokes a version of a tool. */
export function invokeRoutes(services: InvokeServices): readonly AnyRoute[] {
  return [
    defineRoute<InvokeRequest, Query, Params>({
      method: "POST",
      url: "/v1/:organization/tool/:tool_id/version/:version/invoke",
      operationId: "invoke-tool-version",
      summary: "Runs a version of a tool with up to ten inputs at once.",
      permission: "Tool:InvokeTool",
      about: "tool",
      schema: {
        params: {
          type: "object",
          properties: {
            organization: { type: "string" },
            tool_id: { type: "string", pattern: idPattern },
            version: {
              type: "string",
              minLength: 1,
              maxLength: 200,
              description: "An exact version, `latest`, or a constraint such as `>=1.2,<2`.",
            },
          },
          required: ["organization", "tool_id", "version"],
        },
        querystring: {
          type: "object",
          properties: {
            with_logs: {
              type: "boolean",
              default: false,
              description:
                "Whether each result has `logs`, which is what the tool printed, if the caller may read history.",
            },
          },
        },
        body: invokeBodySchema,
        response: { 200: invokeResponseSchema, 202: acceptedReply },
      },
      handle: (request) => invoke(request, services),
    }),
  ];
}

async function invoke(request: InvokeApiRequest, services: InvokeServices): Promise<ApiReply> {
  const key = request.headers["idempotency-key"];
  const isAsync = wantsAsync(request);
  if (!isAsync) refuseWebhook(request.body);
  if (key === undefined) {
    const ready = await prepare(request, services);
    if (isAsync) return accept(request, { ready, services });
    const run = (options: InvokeOptions): ReturnType<ReadyCall["run"]> =>
      // A getter, because creating a signal costs time and few runs take long enough to need it.
      ready.run({
        ...options,
        get signal() {
          return request.signal;
        },
      });
    return answer(request, ready, run);
  }
  const claim = await services.idempotency.claim({
    principal: request.principal,
    key: [key].flat().join(),
    content: JSON.stringify([request.params, request.body, ...(isAsync ? ["async"] : [])]),
  });
  if (claim.answer !== undefined) return replay(request, claim.answer);
  return isAsync ? acceptOnce(request, services, claim) : invokeOnce(request, services, claim);
}

/** Stores the invocations, to be run by any process. */
async function accept(
  { principal, body: { webhook = null } }: InvokeApiRequest,
  { ready, services, claim }: Accepting,
): Promise<ApiReply> {
  const toReply = (ids: readonly string[]): ReturnType<typeof toAccepted> =>
    toAccepted(principal.organization, ids, headersOf(ready));
  const ids = await services.acceptance.accept(principal, ready, {
    webhookId: webhook,
    also: async (db, accepted) => {
      const reply = toReply(accepted);
      await claim?.keepIn(db, { ...reply, body: JSON.stringify(reply.body) });
    },
  });
  return toReply(ids);
}

interface Accepting {
  readonly ready: ReadyCall;
  readonly services: InvokeServices;
  readonly claim?: Extract<Claim, { answer: undefined }>;
}

async function acceptOnce(
  request: InvokeApiRequest,
  services: InvokeServices,
  claim: Extract<Claim, { answer: undefined }>,
): Promise<ApiReply> {
  try {
    const ready = await prepare(request, services);
    const reply = await accept(request, { ready, services, claim });
    claim.leave();
    return reply;
  } catch (error) {
    // Nothing was stored, so nothing will run.
    await claim.release();
    throw error;
  }
}

/** If the caller disconnects, the invocation goes on, and a repeated request gets its response. */
async function invokeOnce(
  request: InvokeApiRequest,
  services: InvokeServices,
  claim: Extract<Claim, { answer: undefined }>,
): Promise<ApiReply> {
  let ready: ReadyCall;
  try {
    ready = await prepare(request, services);
  } catch (error) {
    await claim.release();
    throw error;
  }
  return answer(request, ready, async (options) => {
    try {
      const results = await ready.run(options);
      const body = JSON.stringify(toBody(results));
      const kept = await claim.keep({ status: 200, headers: headersOf(ready), body }).then(
        () => true,
        () => false,
      );
      return kept ? results : results.map((result) => ({ warning: notKept, ...result }));
    } catch (error) {
      claim.leave();
      throw error;
    }
  });
}

const notKept =
  "The tool ran, but its response could not be stored for the Idempotency-Key. From now on the same request is refused with 409. Do not repeat it with another key.";

function prepare(request: InvokeApiRequest, { invoker }: InvokeServices): Promise<ReadyCall> {
  const { principal, params, body, headers } = request;
  const { tool_id: toolId, version } = params;
  const client = headers["user-agent"];
  return invoker.prepare({ principal, toolId, version, request: body, client });
}

async function answer(
  request: InvokeApiRequest,
  ready: ReadyCall,
  run: (options: InvokeOptions) => Promise<readonly InvocationResult[]>,
): Promise<ApiReply> {
  const headers = headersOf(ready);
  const { principal, params, query } = request;
  const logging =
    query.with_logs && (await mayReadTool(principal, params.tool_id)) ? { withLogs: true } : {};
  if (wantsEvents(request.headers.accept)) {
    const runLogged: typeof run = (options) => run({ ...options, ...logging });
    return { status: 200, headers, events: streamInvocation(runLogged, toBody) };
  }
  return { status: 200, headers, body: toBody(await run(logging)) };
}

function replay(request: InvokeApiRequest, { status, headers, body }: KeptAnswer): ApiReply {
  const again = { ...headers, "idempotent-replayed": "true" };
  const data: unknown = JSON.parse(body);
  if (!wantsEvents(request.headers.accept) || status === 202)
    return { status, headers: again, body: data };
  return {
    status,
    headers: again,
    events: streamInvocation(
      async () => data,
      (done) => done,
    ),
  };
}

function refuseWebhook({ webhook = null }: InvokeRequest): void {
  if (webhook === null) return;
  throw new Problem(
    400,
    "A webhook is told of the end of asynchronous invocations. Add the header Prefer: respond-async, or leave out webhook.",
  );
}

function wantsAsync({ headers }: InvokeApiRequest): boolean {
  const preferences = [headers.prefer ?? []].flat().join().split(",");
  return preferences.some((each) => each.trim().toLowerCase() === "respond-async");
}

function headersOf({ version }: ReadyCall): Record<string, string> {
  return { "x-tool-version": version.text };
}

function toBody(results: readonly InvocationResult[]): {
  readonly invocation_results: readonly InvocationResult[];
} {
  return { invocation_results: results };
}
