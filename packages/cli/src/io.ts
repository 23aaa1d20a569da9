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
  /** Fires when the person wants to stop. */
  readonly signal: AbortSignal;
}

/** This process's own streams. */
export function processIo(): Io {
  const controller = new AbortController();
  const stop = (): void => {
    // The second time nobody is waiting for a tidy end any more.
    if (controller.signal.aborted) process.exit(errorCodes.cancelled.exitCode);
    controller.abort();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  process.stdout.on("error", ignoreClosedPipe);
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
    interactive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    outputIsTerminal: process.stdout.isTTY === true,
    signal: controller.signal,
  };
}

// `haft … | head` closes the pipe early; that is no failure.
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
