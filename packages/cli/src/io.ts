import type { EventEmitter } from "node:events";
import { homedir } from "node:os";
import type { Interface } from "node:readline";
import type { ReadStream, WriteStream } from "node:tty";
import { errorCodes } from "@haft/contract";
import type { Tracing } from "@haft/core";

/** Input, output and environment of a command. Tests use their own. */
export interface Io {
  out(text: string): void;
  error(text: string): void;
  /** All of standard input. */
  readInput(): Promise<string>;
  /** Shows a prompt and reads one line; `undefined` when input ended. */
  readLine(prompt: string, signal: AbortSignal, line?: LineOptions): Promise<string | undefined>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  /** Whether there is a terminal to ask in. */
  readonly interactive: boolean;
  /** Whether standard output is a terminal. */
  readonly outputIsTerminal: boolean;
  /** Whether standard error is a terminal. */
  readonly errorIsTerminal?: boolean;
  /** Aborts when the person stops the command. */
  readonly signal: AbortSignal;
  /** Whether there is optional input on standard input. */
  hasInput?(): Promise<boolean>;
  /** Sends Ctrl-C to the listener instead of `signal`, until the returned function is called. */
  onInterrupt?(listener: () => void): () => void;
  /** Opens the tracing that the environment asks for. */
  tracing?(): Promise<Tracing | undefined>;
  /** The streams of the terminal, if there is one. */
  readonly terminal?: TerminalStreams;
}

/** How a line is read. */
export interface LineOptions {
  /** Text that the person can edit. */
  readonly initial?: string;
  /** In a terminal, one of these as the first key is an answer without Enter. */
  readonly keys?: readonly string[];
}

/** A terminal to read keys from and to write to. */
export interface TerminalStreams {
  readonly input: ReadStream;
  readonly output: WriteStream;
}

/** The user's home directory. */
export function homeOf({ environment }: Pick<Io, "environment">): string {
  return environment.HOME ?? homedir();
}

/** This process's own streams. */
export function processIo(): Io {
  const controller = new AbortController();
  const stop = (): void => {
    // The second Ctrl-C exits without cleaning up.
    if (controller.signal.aborted) process.exit(errorCodes.cancelled.exitCode);
    controller.abort();
  };
  let interrupt: (() => void) | undefined;
  process.on("SIGINT", () => (interrupt ?? stop)());
  process.on("SIGTERM", stop);
  process.stdout.on("error", ignoreClosedPipe);
  process.stderr.on("error", ignoreClosedPipe);
  const interactive = process.stdin.isTTY === true && process.stderr.isTTY === true;
  return {
    out: (text) => {
      process.stdout.write(text);
    },
    error: (text) => {
      process.stderr.write(text);
    },
    readInput: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString("utf8");
    },
    readLine: async (prompt, signal, { initial = "", keys = [] } = {}) => {
      const { createInterface } = await import("node:readline/promises");
      if (keys.length > 0) await dropTyped(process.stdin);
      const lines = createInterface({ input: process.stdin, output: process.stderr });
      const stopKeys = enterAtKey(process.stdin, lines, keys);
      // While a line is read, Ctrl-C is a key that reaches only the reader.
      lines.on("SIGINT", stop);
      try {
        const answer = lines.question(prompt, { signal });
        if (initial !== "") lines.write(initial);
        return await answer;
      } catch {
        return undefined;
      } finally {
        stopKeys();
        lines.close();
      }
    },
    environment: process.env,
    directory: process.cwd(),
    interactive,
    outputIsTerminal: process.stdout.isTTY === true,
    errorIsTerminal: process.stderr.isTTY === true,
    signal: controller.signal,
    hasInput: async () => (await import("./has-input.ts")).hasInput(process.stdin),
    onInterrupt: (listener) => {
      interrupt = listener;
      return () => {
        interrupt = undefined;
      };
    },
    ...(interactive && { terminal: { input: process.stdin, output: process.stderr } }),
  };
}

/** Ends the line at its first key, if that is one of these. Returns a function that stops this. */
export function enterAtKey(
  input: EventEmitter,
  lines: Pick<Interface, "line" | "write">,
  keys: readonly string[],
): () => void {
  // Emitted only in a terminal, after the key is in the line.
  const onKey = (): void => {
    if (keys.includes(lines.line.toLowerCase())) lines.write(null, { name: "return" });
  };
  if (keys.length > 0) input.on("keypress", onKey);
  return () => void input.off("keypress", onKey);
}

const typedAheadMs = 50;

/** Drops keys that were typed before a question was shown, because one key would answer it. */
async function dropTyped(input: ReadStream): Promise<void> {
  if (!input.isTTY) return;
  const drop = (): void => {};
  input.setRawMode(true);
  input.on("data", drop).resume();
  await new Promise((resolve) => setTimeout(resolve, typedAheadMs));
  input.off("data", drop).pause();
  input.setRawMode(false);
}

// `haft … | head` closes the pipe early, which is not an error.
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
