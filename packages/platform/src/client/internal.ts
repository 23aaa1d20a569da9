// For Haft's own packages. Unsupported: it changes without notice.
export { readEvents, type StreamEvent } from "./read-events.ts";
