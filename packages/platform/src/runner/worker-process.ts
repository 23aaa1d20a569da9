import { randomBytes } from "node:crypto";
import { StringDecoder } from "node:string_decoder";
import type { ProgramEnd } from "@haft/computer";
import type { WorkerLauncher, WorkerSpec } from "./worker-launcher.ts";
import type { WorkerMessage } from "./worker-messages.ts";

/** How a worker's process ended. */
export interface WorkerEnd extends Pick<ProgramEnd, "exitCode" | "signal"> {
  /** The end of its standard error, such as a fatal error of the runtime. */
  readonly lastWords: string;
  /** Whether it was stopped because it wrote an invalid message. */
  readonly wasGarbled: boolean;
}

/** A worker's process that is ready for messages. */
export interface WorkerProcess {
  /** Writes one or more lines, each with its line break. */
  write(lines: string): void;
  stop(): Promise<void>;
  /** Resolves when the process has ended and all its messages were received. */
  readonly ended: Promise<WorkerEnd>;
}

/** Receives a worker's messages and output. */
export interface WorkerListener {
  onMessage(message: WorkerMessage): void;
  /** Output that bypassed the worker, such as that of a process that the tool started. */
  onPrinted(text: string): void;
}

const startTimeoutMs = 30_000;
// Longer than any valid line of a worker.
const maxLineCharacters = 1024 * 1024;
const maxLastWords = 4_096;

/** Starts a process and waits until it is ready. Throws if it can't be started. */
export async function startWorkerProcess(
  launcher: WorkerLauncher,
  spec: WorkerSpec,
  listener: WorkerListener,
): Promise<WorkerProcess> {
  const token = randomBytes(12).toString("hex");
  const ready = Promise.withResolvers<void>();
  const printed = new StringDecoder("utf8");
  let lastWords = "";
  let wasGarbled = false;
  const take = readMessages(token, {
    onMessage: (message) => {
      if (message.kind === "ready") ready.resolve();
      else listener.onMessage(message);
    },
    onGarbage: () => {
      wasGarbled = true;
      void program.stop();
    },
  });
  const program = await launcher.start(spec, {
    onOutput: (bytes) => {
      if (!wasGarbled) take(bytes);
      return undefined;
    },
    onErrors: (bytes) => {
      const text = printed.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      lastWords = (lastWords + text).slice(-maxLastWords);
      listener.onPrinted(text);
      return undefined;
    },
  });
  program.keepAlive(true);
  const ended = program.ended.then(
    ({ exitCode, signal }): WorkerEnd => ({ exitCode, signal, lastWords, wasGarbled }),
  );
  const write = (lines: string): void => void program.write(lines).catch(() => {});
  write(`${JSON.stringify({ kind: "hello", token })}\n`);
  const timer = setTimeout(() => void program.stop(), startTimeoutMs);
  const isReady = await Promise.race([ready.promise.then(() => true), ended.then(() => false)]);
  clearTimeout(timer);
  // While jobs run, the scheduler's timer keeps this process alive.
  program.keepAlive(false);
  if (!isReady) throw new Error(explainStart(await ended));
  return { write, ended, stop: () => program.stop() };
}

function readMessages(
  token: string,
  to: { onMessage(message: WorkerMessage): void; onGarbage(): void },
): (bytes: Uint8Array) => void {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  return (bytes) => {
    const text =
      rest + decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      const message = text.startsWith(token, from)
        ? parse(text.slice(from + token.length, end))
        : undefined;
      if (message === undefined) {
        to.onGarbage();
        return;
      }
      to.onMessage(message);
      from = end + 1;
    }
    rest = from === 0 ? text : text.slice(from);
    if (rest.length > maxLineCharacters) to.onGarbage();
  };
}

function parse(line: string): WorkerMessage | undefined {
  try {
    const message: unknown = JSON.parse(line);
    const isMessage = typeof message === "object" && message !== null && "kind" in message;
    return isMessage ? (message as WorkerMessage) : undefined;
  } catch {
    return undefined;
  }
}

function explainStart({ exitCode, signal, lastWords }: WorkerEnd): string {
  const how = exitCode === undefined ? (signal ?? "a signal") : `exit code ${exitCode}`;
  return `The sandbox ended with ${how} before it was ready. ${lastWords.trim().slice(-500)}`.trim();
}
