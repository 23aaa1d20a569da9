import { createHmac } from "node:crypto";
import { createGuardedFetch } from "@haft/computer/internal";
import { ToolError } from "@haft/contract";
import { clipText } from "@haft/contract/internal";
import type { InboxLinks } from "../inbox/links.ts";
import type { PlatformParts } from "../platform-parts.ts";
import type { WebhookAttemptRow, WebhookDeliveryRow, WebhookRow } from "../store/schema.ts";
import { readSecret } from "./webhooks.ts";

/** The result of one request. */
export type SentAttempt = Pick<WebhookAttemptRow, "duration_ms" | "status" | "response" | "error">;

/** Sends a delivery once. Never throws. */
export type SendDelivery = (
  webhook: WebhookRow,
  delivery: WebhookDeliveryRow,
  signal: AbortSignal,
) => Promise<SentAttempt>;

/** The services that send deliveries. */
export interface SenderParts extends Pick<PlatformParts, "secrets" | "settings" | "now"> {
  readonly links: Pick<InboxLinks, "addTo">;
}

const maxResponseCharacters = 1_000;

/**
 * Creates a function that sends deliveries, signed after Standard Webhooks. Requests go to public
 * addresses and to hosts that the operator allows, and follow no redirects.
 */
export function createSender(parts: SenderParts): SendDelivery {
  const { allowedHosts, timeoutMs } = parts.settings.webhooks;
  const fetch = createGuardedFetch({ allowedHosts });
  return async (webhook, delivery, signal) => {
    const startedAt = performance.now();
    const end = (result: Omit<SentAttempt, "duration_ms">): SentAttempt => ({
      ...result,
      duration_ms: Math.round(performance.now() - startedAt),
    });
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const { body } = delivery;
      const sent = webhook.links === 1 ? await parts.links.addTo(body, webhook) : body;
      const response = await fetch(webhook.url, {
        method: "POST",
        headers: toHeaders(parts, webhook, { id: delivery.id, body: sent }),
        body: sent,
        redirect: "manual",
        signal: AbortSignal.any([timeout, signal]),
      });
      return end({ status: response.status, response: await readStart(response), error: null });
    } catch (error) {
      const why = timeout.aborted
        ? `There was no response within ${timeoutMs} ms.`
        : signal.aborted
          ? stoppedMessage
          : explain(error);
      return end({ status: null, response: null, error: why });
    }
  };
}

/** What an attempt says that the end of its process cut off. */
export const stoppedMessage = "The server stopped before the response arrived.";

function toHeaders(
  parts: SenderParts,
  webhook: WebhookRow,
  { id, body }: { readonly id: string; readonly body: string },
): Record<string, string> {
  const now = parts.now();
  const timestamp = String(Math.floor(now / 1_000));
  const hasPrevious = webhook.previous_secret !== "" && (webhook.previous_until ?? 0) > now;
  const secrets = [
    readSecret(parts, webhook, "secret"),
    ...(hasPrevious ? [readSecret(parts, webhook, "previous_secret")] : []),
  ];
  return {
    "content-type": "application/json",
    "user-agent": "Haft-Webhooks",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets
      .map((secret) => sign(secret, `${id}.${timestamp}.${body}`))
      .join(" "),
  };
}

function sign(secret: string, text: string): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  return `v1,${createHmac("sha256", key).update(text).digest("base64")}`;
}

/** Reads the beginning of a response, and no more than that. */
async function readStart(response: Response): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    while (text.length < maxResponseCharacters) {
      const { value, done } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // The status has arrived, and it decides.
  }
  await reader.cancel().catch(() => undefined);
  return clipText(text, maxResponseCharacters).replaceAll("\0", "\ufffd").toWellFormed();
}

function explain(error: unknown): string {
  const { cause, message } = error as Error;
  const isRefused = ToolError.isInstance(cause) && cause.code === "out-of-scope";
  if (!isRefused) return message;
  return "The host has no public address. The operator can add it to webhooks.allowedHosts in settings.json.";
}
