import { createCautiousClock } from "../cautious-clock.ts";
import type { Poller } from "../create-poller.ts";
import { createAnnouncer, tidyAnnounced } from "../inbox/announce-questions.ts";
import { createInboxLinks, type InboxLinks } from "../inbox/links.ts";
import type { SessionItems } from "../inbox/session-items.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { createDeliverer, type Deliverer } from "./create-deliverer.ts";
import { tidyDeliveries } from "./deliveries.ts";

/** What tells others of events, and lets them answer. */
export interface WebhookServices {
  readonly deliverer: Deliverer;
  /** Tells webhooks of questions of sessions. Absent if this process sees none. */
  readonly announcer: Poller | undefined;
  readonly links: InboxLinks;
  /** Removes deliveries that are too old. */
  tidy(): Promise<void>;
}

/** What webhooks work with. */
export interface WebhookOptions {
  /** Returns the address at which this process listens. */
  findUrl(): string;
  /** The calls of sessions on this machine. Default: webhooks are not told of any. */
  readonly sessions?: SessionItems | undefined;
  onError?(error: unknown): void;
}

/** Opens webhooks of a store. Nothing is sent before the deliverer and the announcer are poked. */
export function openWebhooks(
  parts: PlatformParts,
  { findUrl, sessions, onError = () => {} }: WebhookOptions,
): WebhookServices {
  const links = createInboxLinks(parts, {
    findUrl: () => parts.settings.publicUrl ?? findUrl(),
    sessions,
  });
  const deliverer = createDeliverer({ ...parts, links, onError });
  const now = createCautiousClock(parts.now);
  return {
    ...{ links, deliverer },
    announcer: sessions && createAnnouncer(parts, { sessions, onEvent: deliverer.poke, onError }),
    tidy: async () => {
      await tidyDeliveries({ ...parts, now });
      await tidyAnnounced({ ...parts, now });
    },
  };
}
