import { createCautiousClock } from "../cautious-clock.ts";
import { createInboxLinks, type InboxLinks } from "../inbox/links.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { createDeliverer, type Deliverer } from "./create-deliverer.ts";
import { tidyDeliveries } from "./deliveries.ts";

/** What tells others of events, and lets them answer. */
export interface WebhookServices {
  readonly deliverer: Deliverer;
  readonly links: InboxLinks;
  /** Removes deliveries that are too old. */
  tidy(): Promise<void>;
}

/** Opens webhooks of a store. Nothing is sent before the deliverer is poked. */
export function openWebhooks(
  parts: PlatformParts,
  options: { findUrl(): string; onError?(error: unknown): void },
): WebhookServices {
  const links = createInboxLinks(parts, () => parts.settings.publicUrl ?? options.findUrl());
  const now = createCautiousClock(parts.now);
  return {
    links,
    deliverer: createDeliverer({
      ...{ ...parts, links },
      onError: (error) => options.onError?.(error),
    }),
    tidy: () => tidyDeliveries({ ...parts, now }),
  };
}
