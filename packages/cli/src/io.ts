import { homedir } from "node:os";
import type { ReadStream, WriteStream } from "node:tty";
import { errorCodes } from "@haft/contract";

/** The outside world as a command sees it; tests bring their own. */
export interface Io {
  out(text: string): void;
  error(text: string): void;
  /** All of standard input. */
  readInput(): Promise<string>;
  /** Shows a prompt and reads one line, which may stand there to be changed; `undefined` when input ended. */
  readLine(prompt: string, signal: AbortSignal, initial?: string): Promise<string | undefined>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  /** Somebody can be asked. */
  readonly interactive: boolean;
  /** Standard output is shown to a person. */
  readonly outputIsTerminal: boolean;
  /** Standard error is shown to a person. */
  readonly errorIsTerminal?: boolean;
  /** Fires when the person wants to stop. */
  readonly signal: AbortSignal;
  /** Whether something comes on standard input, where it is welcome but not needed. */
  hasInput?(): Promise<boolean>;
  /** Has Ctrl-C tell the listener instead of firing `signal`, until what it returns is called. */
  onInterrupt?(listener: () => void): () => void;
  /** The streams themselves, where somebody can be asked. */
  readonly terminal?: TerminalStreams;
}

/** A terminal to read keys from and to write to. */
export interface TerminalStreams {
  readonly input: ReadStream;
  readonly output: WriteStream;
}

/** Where the user is at home. */
export function homeOf({ environment }: Pick<Io, "environment">): string {
  return environment.HOME ?? homedir();
}

/** This process's own streams. */
export function processIo(): Io {
  const controller = new AbortController();
  const stop = (): void => {
    // The second time nobody is waiting for a tidy end any more.
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
    readLine: async (prompt, signal, initial = "") => {
      const { createInterface } = await import("node:readline/promises");
      const lines = createInterface({ input: process.stdin, output: process.stderr });
      // While a line is read, Ctrl-C is a key like any other and reaches only its reader.
      lines.on("SIGINT", stop);
      try {
        const answer = lines.question(prompt, { signal });
        if (initial !== "") lines.write(initial);
        return await answer;
      } catch {
        return undefined;
      } finally {
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

// `haft … | head` closes the pipe early; that is no failure.
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
