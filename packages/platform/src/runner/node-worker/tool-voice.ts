import type { RunMessage } from "../worker-messages.ts";

const { stringify } = JSON;

// The host holds to the same, whatever a worker sends.
const mostLogBytes = 64 * 1024;
const mostStatusEvents = 100;
const mostStatusCharacters = 16 * 1024;

/** Passes on what an invocation prints, up to a limit. */
export function createToolLog(
  send: (number: number, text: string) => void,
): (message: RunMessage, text: string) => void {
  let printing: RunMessage | undefined;
  let left = 0;
  return (message, text) => {
    if (message.isQuiet) return;
    if (printing !== message) {
      printing = message;
      left = mostLogBytes;
    }
    if (left <= 0 || text === "") return;
    send(message.number, text.slice(0, left));
    left -= text.length;
  };
}

/** Makes an invocation's `sendStatusEvent`: what is too much is left out. */
export function createStatusSender(send: (event: unknown) => void): (event: unknown) => void {
  let left = mostStatusEvents;
  return (event) => {
    if (typeof event !== "string" && (typeof event !== "object" || event === null)) {
      throw new TypeError("A status event is a string or an object.");
    }
    if (left <= 0) return;
    left -= 1;
    const text = stringify(event);
    if (text !== undefined && text.length <= mostStatusCharacters) send(event);
  };
}
