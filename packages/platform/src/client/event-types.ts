/** Every type of event that a webhook can ask for. */
export const eventTypes = [
  "invocation.succeeded",
  "invocation.failed",
  "invocation.cancelled",
  "inbox.waiting",
  "inbox.answered",
  "inbox.expired",
  "inbox.cancelled",
  "version.published",
  "version.promoted",
  "version.rolled_back",
  "canary.taken_back",
  "tool.deprecated",
] as const;

/** The type of an event. */
export type EventType = (typeof eventTypes)[number];
