import type { PrintedStream } from "../printed-output.ts";
import type { WorkerMessage } from "../worker-messages.ts";

const { stringify } = JSON;

// The server enforces the same limits.
const maxStartCharacters = 32 * 1024;
const maxEndCharacters = 32 * 1024;
const maxStatusEvents = 100;
const maxStatusCharacters = 16 * 1024;
// How often the end of a long output is sent while it grows.
const endIntervalMs = 250;

interface StreamState {
  /** The number of characters that are sent at once. */
  left: number;
  end: string;
  skipped: number;
}

/** The output of one invocation at a time. */
export interface ToolLog {
  /** Begins the output of another invocation. */
  begin(number: number): void;
  write(stream: PrintedStream, text: string): void;
  /** Sends what is held back. */
  flush(): void;
}

/**
 * Creates a log that forwards the start of an invocation's output at once, and of the rest only the
 * end, now and then.
 */
export function createToolLog(
  send: (message: Extract<WorkerMessage, { kind: "log" }>) => void,
  now: () => number,
): ToolLog {
  let number: number | undefined;
  let sentAt = 0;
  const streams: Record<PrintedStream, StreamState> = { stdout: toState(), stderr: toState() };

  const flushStream = (stream: PrintedStream): void => {
    const state = streams[stream];
    if (number === undefined || state.end === "") return;
    const cut = state.end.length - maxEndCharacters;
    const skipped = state.skipped + Math.max(cut, 0);
    const text = cut > 0 ? state.end.slice(cut) : state.end;
    state.end = "";
    state.skipped = 0;
    send({ kind: "log", number, stream, text, ...(skipped > 0 && { skipped }) });
  };
  const flush = (): void => {
    flushStream("stdout");
    flushStream("stderr");
  };
  return {
    begin: (next) => {
      number = next;
      streams.stdout = toState();
      streams.stderr = toState();
    },
    write: (stream, text) => {
      if (number === undefined || text === "") return;
      const state = streams[stream];
      if (state.left > 0) {
        send({ kind: "log", number, stream, text: text.slice(0, state.left) });
      }
      if (text.length > state.left) {
        state.end += text.slice(state.left);
        if (state.end.length > 2 * maxEndCharacters) {
          state.skipped += state.end.length - maxEndCharacters;
          state.end = state.end.slice(-maxEndCharacters);
        }
        if (now() - sentAt >= endIntervalMs) {
          sentAt = now();
          flush();
        }
      }
      state.left = Math.max(0, state.left - text.length);
    },
    flush,
  };
}

function toState(): StreamState {
  return { left: maxStartCharacters, end: "", skipped: 0 };
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
