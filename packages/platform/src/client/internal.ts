// For Haft's own packages. Unsupported: it changes without notice.
export { eventTypes } from "./event-types.ts";
export { readEvents, type StreamEvent } from "./read-events.ts";
