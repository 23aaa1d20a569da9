import { type AnyRoute, type ApiReply, type ApiRequest, defineRoute } from "../api/route.ts";
import { streamInvocation } from "../invoke/stream-invocation.ts";
import { toolParams } from "../tools/tool-schemas.ts";
import { mayRetry, type RetryParts, retryInvocations } from "./retry.ts";
import { type FilledRetryRequest, retryBody, retryReply } from "./retry-schemas.ts";
import { type ShadowParts, shadowVersion } from "./shadow.ts";
import { type FilledShadowRequest, shadowBody, shadowReply } from "./shadow-schemas.ts";

/** The API's routes that use recorded invocations again. */
export function replayRoutes(parts: RetryParts & ShadowParts): readonly AnyRoute[] {
  return [
    defineRoute<FilledRetryRequest>({
      method: "POST",
      url: "/v1/:organization/tool/invocation/retry",
      operationId: "retry-tool-invocations",
      summary: "Repeats recorded invocations as new ones that refer to them.",
      permission: mayRetry,
      about: "tools",
      schema: { body: retryBody, response: { 200: retryReply } },
      handle: (request) => {
        const { principal, body, signal } = request;
        return answer(request, (onRetry) =>
          retryInvocations(parts, { principal, request: body }, { signal, onRetry }),
        );
      },
    }),
    defineRoute<FilledShadowRequest, unknown, { readonly tool_id: string }>({
      method: "POST",
      url: "/v1/:organization/tool/:tool_id/shadow",
      operationId: "shadow-tool-version",
      summary:
        "Runs recorded inputs against a version in simulation mode and compares the results.",
      permission: mayRetry,
      about: "tool",
      schema: { params: toolParams, body: shadowBody, response: { 200: shadowReply } },
      handle: (request) => {
        const { principal, params, body, signal } = request;
        const call = { principal, toolId: params.tool_id, request: body };
        return answer(request, (onProgress) => shadowVersion(parts, call, { signal, onProgress }));
      },
    }),
  ];
}

/** Answers with the result, or with a `status` event for each invocation and then the result. */
async function answer(
  { headers }: Pick<ApiRequest, "headers">,
  work: (onDone: (index: number, event: unknown) => void) => Promise<unknown>,
): Promise<ApiReply> {
  if (!(headers.accept?.includes("text/event-stream") ?? false)) {
    return { status: 200, body: await work(() => undefined) };
  }
  const events = streamInvocation(
    ({ onStatus }) => work(onStatus ?? (() => undefined)),
    (result) => result,
  );
  return { status: 200, events };
}
