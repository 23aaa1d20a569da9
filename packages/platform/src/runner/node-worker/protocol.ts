import { writeSync } from "node:fs";
import { Socket } from "node:net";
import type { HostMessage, WorkerMessage } from "../worker-messages.ts";

// A tool can replace globals, but not the functions saved here before it is loaded.
const write = writeSync;
const { parse, stringify } = JSON;
const toBytes = Buffer.from.bind(Buffer) as (text: string) => Buffer;

// Standard output goes to the log. This descriptor goes to the server.
const descriptor = 3;

/** The channel to the server: lines of JSON. */
export interface Protocol {
  /** Returns when the line is in the pipe, so that it arrives even if this process ends now. */
  send(message: WorkerMessage): void;
}

/** Answers the greeting, then passes every line to `take`. */
export function openProtocol(
  take: (message: Exclude<HostMessage, { kind: "hello" }>) => void,
): Protocol {
  let token: string | undefined;
  let parts: string[] = [];
  const hear = (line: string): void => {
    const message = parse(line) as HostMessage;
    if (message.kind !== "hello") take(message);
    else if (token === undefined) {
      token = message.token;
      send({ kind: "ready" });
    }
  };
  const send = (message: WorkerMessage): void => {
    if (token !== undefined) writeAll(toBytes(`${token}${stringify(message)}\n`));
  };
  const input = new Socket({ fd: 0, readable: true, writable: false });
  input.setEncoding("utf8");
  input.on("data", (text: string) => {
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      const last = text.slice(from, end);
      from = end + 1;
      if (parts.length === 0) hear(last);
      else {
        const line = parts.join("") + last;
        parts = [];
        hear(line);
      }
    }
    if (from < text.length) parts.push(text.slice(from));
  });
  // The server is gone.
  input.on("close", () => process.exit());
  return { send };
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));

function writeAll(bytes: Buffer): void {
  let written = 0;
  while (written < bytes.length) {
    try {
      written += write(descriptor, bytes, written);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(sleeper, 0, 0, 1);
    }
  }
}
