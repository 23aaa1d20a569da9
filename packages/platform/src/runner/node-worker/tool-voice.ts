import type { RunMessage } from "../worker-messages.ts";

const { stringify } = JSON;

// The server enforces the same limits.
const maxLogBytes = 64 * 1024;
const maxStatusEvents = 100;
const maxStatusCharacters = 16 * 1024;

/** Creates a log that forwards an invocation's output up to a limit. */
export function createToolLog(
  send: (number: number, text: string) => void,
): (message: RunMessage, text: string) => void {
  let printing: RunMessage | undefined;
  let left = 0;
  return (message, text) => {
    if (message.isQuiet) return;
    if (printing !== message) {
      printing = message;
      left = maxLogBytes;
    }
    if (left <= 0 || text === "") return;
    send(message.number, text.slice(0, left));
    left -= text.length;
  };
}

/** Creates an invocation's `sendStatusEvent`. Events beyond the limits are dropped. */
export function createStatusSender(send: (event: unknown) => void): (event: unknown) => void {
  let left = maxStatusEvents;
  return (event) => {
    if (typeof event !== "string" && (typeof event !== "object" || event === null)) {
      throw new TypeError("A status event must be a string or an object.");
    }
    if (left <= 0) return;
    left -= 1;
    const text = stringify(event);
    if (text !== undefined && text.length <= maxStatusCharacters) send(event);
  };
}
