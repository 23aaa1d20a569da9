import type { OrganizationPath } from "./organization-path.ts";
import type { Requester } from "./requester.ts";
import type {
  IssuedWebhook,
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookDeliveryQuery,
  WebhookReplay,
} from "./wire-types.ts";

/** Addresses of an organization that are told of events. */
export interface WebhooksClient {
  list(): Promise<{ readonly webhooks: readonly Webhook[] }>;
  get(id: string): Promise<Webhook>;
  /** Returns it with its secret, which can't be read again. */
  create(webhook: NewWebhook): Promise<IssuedWebhook>;
  update(id: string, change: WebhookChange): Promise<Webhook>;
  delete(id: string): Promise<void>;
  /** Makes a new secret. For so many hours, deliveries are signed with the old one, too. */
  rotate(id: string, overlapHours?: number): Promise<IssuedWebhook>;
  /** Sends the event `webhook.test` once. */
  test(id: string): Promise<WebhookDelivery>;
  deliveries(id: string, query?: WebhookDeliveryQuery): Promise<WebhookDeliveryPage>;
  /** Sends deliveries again, with the same IDs. Default: all that failed. */
  replay(id: string, which?: WebhookReplay): Promise<{ readonly replayed: number }>;
}

/** Makes the part of the client that is about webhooks. */
export function createWebhooksClient(
  requester: Requester,
  place: OrganizationPath,
): WebhooksClient {
  const path = (...parts: readonly string[]): Promise<string> => place.path("webhooks", ...parts);
  return {
    list: async () => requester.request("GET", await path()),
    get: async (id) => requester.request("GET", await path(id)),
    create: async (body) => requester.request("POST", await path(), { body }),
    update: async (id, body) => requester.request("PATCH", await path(id), { body }),
    delete: async (id) => requester.request("DELETE", await path(id)),
    rotate: async (id, overlapHours) => {
      const body = overlapHours === undefined ? {} : { overlap_hours: overlapHours };
      return requester.request("POST", await path(id, "rotate"), { body });
    },
    test: async (id) => requester.request("POST", await path(id, "test")),
    deliveries: async (id, query = {}) =>
      requester.request("GET", await path(id, "deliveries"), { query }),
    replay: async (id, body = {}) => requester.request("POST", await path(id, "replay"), { body }),
  };
}
