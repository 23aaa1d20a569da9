import { type AnyRoute, defineRoute } from "../api/route.ts";
import type { SessionItems } from "../inbox/session-items.ts";
import type { PlatformParts } from "../platform-parts.ts";
import type { Deliverer } from "./create-deliverer.ts";
import { listDeliveries, replayDeliveries, sendTest } from "./deliveries.ts";
import {
  deliveryPage,
  deliveryQuery,
  deliveryReply,
  issuedWebhook,
  newWebhookBody,
  replayBody,
  replayReply,
  rotationBody,
  webhookChangeBody,
  webhookList,
  webhookParams,
  webhookReply,
} from "./webhook-schemas.ts";
import { createWebhooks, toWebhook } from "./webhooks.ts";
import type {
  FilledWebhook,
  WebhookChange,
  WebhookDeliveryQuery,
  WebhookReplay,
} from "./wire-webhook.ts";

interface Params {
  readonly webhook_id: string;
}

/** The API's routes for webhooks and their deliveries. */
export function webhookRoutes(
  parts: PlatformParts,
  deliverer: Pick<Deliverer, "sendNew" | "poke">,
  sessions?: Pick<SessionItems, "isOpenTo">,
): readonly AnyRoute[] {
  const webhooks = createWebhooks({ ...parts, sessions });
  const url = "/v1/:organization/webhooks";
  const one = `${url}/:webhook_id`;
  const [reading, changing] = [
    { permission: "Webhook:GetWebhook" },
    { permission: "Webhook:ModifyWebhook" },
  ] as const;
  return [
    defineRoute<FilledWebhook>({
      method: "POST",
      url,
      operationId: "create-webhook",
      summary: "Creates a webhook. The response has its secret, which is shown only then.",
      ...changing,
      schema: { body: newWebhookBody, response: { 201: issuedWebhook } },
      handle: async ({ principal, body }) => ({
        status: 201,
        body: await webhooks.create(principal, body),
      }),
    }),
    defineRoute({
      method: "GET",
      url,
      operationId: "get-webhooks",
      summary: "Lists the organization's webhooks.",
      ...reading,
      schema: { response: { 200: webhookList } },
      handle: async ({ principal }) => ({
        status: 200,
        body: { webhooks: await webhooks.list(principal.organization) },
      }),
    }),
    defineRoute<unknown, unknown, Params>({
      method: "GET",
      url: one,
      operationId: "get-webhook",
      summary: "Shows a webhook.",
      ...reading,
      schema: { params: webhookParams, response: { 200: webhookReply } },
      handle: async ({ principal, params }) => ({
        status: 200,
        body: toWebhook(await webhooks.require(principal.organization, params.webhook_id)),
      }),
    }),
    defineRoute<WebhookChange, unknown, Params>({
      method: "PATCH",
      url: one,
      operationId: "modify-webhook",
      summary: "Changes the given fields of a webhook. Enabling it forgets its failures.",
      ...changing,
      schema: { params: webhookParams, body: webhookChangeBody, response: { 200: webhookReply } },
      handle: async ({ principal, params, body }) => {
        const changed = await webhooks.update(principal, params.webhook_id, body);
        deliverer.poke();
        return { status: 200, body: changed };
      },
    }),
    defineRoute<unknown, unknown, Params>({
      method: "DELETE",
      url: one,
      operationId: "delete-webhook",
      summary: "Deletes a webhook with its deliveries. Links that it sent stop working.",
      ...changing,
      schema: { params: webhookParams, response: { 204: null } },
      handle: async ({ principal, params }) => {
        await webhooks.delete(principal, params.webhook_id);
        return { status: 204 };
      },
    }),
    defineRoute<{ readonly overlap_hours: number }, unknown, Params>({
      method: "POST",
      url: `${one}/rotate`,
      operationId: "rotate-webhook-secret",
      summary: "Makes a new secret. For a while, deliveries are signed with both.",
      ...changing,
      schema: { params: webhookParams, body: rotationBody, response: { 200: issuedWebhook } },
      handle: async ({ principal, params, body }) => ({
        status: 200,
        body: await webhooks.rotate(principal, params.webhook_id, body.overlap_hours),
      }),
    }),
    defineRoute<unknown, unknown, Params>({
      method: "POST",
      url: `${one}/test`,
      operationId: "test-webhook",
      summary: "Sends the event `webhook.test` once, and returns how that went.",
      ...changing,
      schema: { params: webhookParams, response: { 200: deliveryReply } },
      handle: async ({ principal, params }) => {
        const webhook = await webhooks.require(principal.organization, params.webhook_id);
        return { status: 200, body: await sendTest({ ...parts, deliverer }, webhook) };
      },
    }),
    defineRoute<unknown, WebhookDeliveryQuery & { readonly limit: number }, Params>({
      method: "GET",
      url: `${one}/deliveries`,
      operationId: "get-webhook-deliveries",
      summary: "Lists the deliveries of a webhook with their attempts, the newest first.",
      ...reading,
      schema: {
        params: webhookParams,
        querystring: deliveryQuery,
        response: { 200: deliveryPage },
      },
      handle: async ({ principal, params, query }) => {
        const { id } = await webhooks.require(principal.organization, params.webhook_id);
        return { status: 200, body: await listDeliveries(parts, id, query) };
      },
    }),
    defineRoute<WebhookReplay, unknown, Params>({
      method: "POST",
      url: `${one}/replay`,
      operationId: "replay-webhook-deliveries",
      summary: "Sends deliveries again, with the same IDs: the given ones, or all that failed.",
      ...changing,
      schema: { params: webhookParams, body: replayBody, response: { 200: replayReply } },
      handle: async ({ principal, params, body }) => {
        const webhook = await webhooks.require(principal.organization, params.webhook_id);
        const replayed = await replayDeliveries(parts, principal, { webhook, which: body });
        deliverer.poke();
        return { status: 200, body: { replayed } };
      },
    }),
  ];
}
