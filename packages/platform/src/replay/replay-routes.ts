import { type AnyRoute, defineRoute } from "../api/route.ts";
import { mayRead } from "../history/log-routes.ts";
import { streamInvocation } from "../invoke/stream-invocation.ts";
import { type RetryParts, retryInvocations } from "./retry.ts";
import { type FilledRetryRequest, retryBody, retryReply } from "./retry-schemas.ts";

/** The API's routes that use recorded invocations again. */
export function replayRoutes(parts: RetryParts): readonly AnyRoute[] {
  return [
    defineRoute<FilledRetryRequest>({
      method: "POST",
      url: "/v1/:organization/tool/invocation/retry",
      operationId: "retry-tool-invocations",
      summary: "Repeats recorded invocations as new ones that refer to them.",
      permission: ["Tool:InvokeTool", ...mayRead],
      schema: { body: retryBody, response: { 200: retryReply } },
      handle: async ({ principal, body: request, headers, signal }) => {
        const call = { principal, request };
        if (!(headers.accept?.includes("text/event-stream") ?? false)) {
          return { status: 200, body: await retryInvocations(parts, call, { signal }) };
        }
        const events = streamInvocation(
          ({ onStatus }) =>
            retryInvocations(parts, call, { signal, ...(onStatus && { onRetry: onStatus }) }),
          (results) => results,
        );
        return { status: 200, events };
      },
    }),
  ];
}
