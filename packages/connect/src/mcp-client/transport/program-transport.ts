import type { ProgramEnd, ProgramStart, StartedProgram } from "@haft/computer";
import { isPlainObject, toErrorMessage } from "@haft/contract/internal";
import { toPlainText } from "@haft/core/internal";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { createLineSplitter } from "../../line-splitter.ts";
import { createMessageScreen, type MessageScreen } from "./message-screen.ts";
import type { ServerTransport } from "./server-transport.ts";

/** Starts programs. */
export interface ProgramStarter {
  startProgram(start: ProgramStart): Promise<StartedProgram>;
}

/** A program to start, without its output handlers. */
export type ServerProgram = Omit<ProgramStart, "onOutput" | "onErrors">;

const maxLineBytes = 16 * 1024 * 1024;
const maxErrorLength = 2_000;

/** Communicates with a program over its standard input and output. */
export class ProgramTransport implements ServerTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly screen: MessageScreen = createMessageScreen();
  // The SDK recognises a pipe by these two. On a pipe, silence means that a handshake is not supported.
  readonly stderr = null;
  readonly pid = null;
  #started: StartedProgram | undefined;
  #needed = false;
  #violation: string | undefined;
  #closed = false;
  #endedItself = false;
  #errors = "";
  readonly #starter: ProgramStarter;
  readonly #program: ServerProgram;

  constructor(starter: ProgramStarter, program: ServerProgram) {
    this.#starter = starter;
    this.#program = program;
  }

  /** The program, once it runs. */
  get started(): StartedProgram | undefined {
    return this.#started;
  }

  async start(): Promise<void> {
    const lines = createLineSplitter(maxLineBytes);
    const decoder = new TextDecoder();
    const started = await this.#starter.startProgram({
      ...this.#program,
      onOutput: (bytes) => {
        if (this.#closed) return undefined;
        const taken = lines.take(bytes);
        if (taken === undefined) this.#end(`it sent a line of more than ${maxLineBytes} bytes`);
        else for (const line of taken) this.#receive(line);
        // Let other work run between chunks, however much a server sends.
        return new Promise((resolve) => {
          setImmediate(resolve);
        });
      },
      onErrors: (bytes) => {
        this.#errors = (this.#errors + decoder.decode(bytes, { stream: true })).slice(
          -maxErrorLength,
        );
        return undefined;
      },
    });
    this.#started = started;
    started.keepAlive(this.#needed);
    void started.ended.then(() => {
      this.#endedItself = !this.#closed;
      this.#close();
    });
    if (this.#closed) await started.stop();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#started === undefined || this.#closed) throw new Error("The server has stopped.");
    this.screen.sent(message);
    await this.#started.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#close();
    const started = this.#started;
    if (started === undefined) return;
    // The end of its input tells a server to clean up.
    started.keepAlive(true);
    started.endInput();
    await Promise.race([started.ended, soon()]);
    await started.stop();
  }

  keepAlive(isNeeded: boolean): void {
    this.#needed = isNeeded;
    this.#started?.keepAlive(isNeeded);
  }

  async explainEnd(): Promise<string> {
    if (this.#violation !== undefined) return this.#violation;
    // A program that still runs has not ended; Haft closed the connection.
    const end = await Promise.race([this.#started?.ended, soon()]);
    return this.#explain(describeEnd(end));
  }

  async explainFailure(failure: string): Promise<string> {
    if (this.#violation !== undefined) return this.#violation;
    const why = this.#endedItself ? await this.explainEnd() : this.#explain(failure);
    return `${why}${this.#describeMissingHosts()}`;
  }

  // Programs that download themselves first, such as npx, wait for the network until they time out.
  #describeMissingHosts(): string {
    const isAlone = this.#started?.isolation === "sandbox" && !this.#program.hosts?.length;
    return isAlone
      ? ". It may not reach any host; allow the hosts that it needs with --allow-host"
      : "";
  }

  #explain(reason: string): string {
    const tail = toPlainText(this.#errors).trim();
    const errors = tail === "" ? [] : [`it wrote: ${tail}`];
    return [reason, ...this.#describeRefusals(), ...errors].join("; ");
  }

  #describeRefusals(): string[] {
    const refused = this.#started?.refusedHosts() ?? [];
    return refused.length === 0
      ? []
      : [`it may not reach ${refused.slice(0, 5).join(", ")}: allow it with --allow-host`];
  }

  #receive(line: string): void {
    if (this.#closed || line.trim() === "") return;
    try {
      const message = parseMessage(line);
      const screened = message && this.screen.receive(message);
      if (screened !== undefined) this.onmessage?.(screened);
    } catch (error) {
      this.#end(toErrorMessage(error));
    }
  }

  #end(violation: string): void {
    this.#violation ??= violation;
    this.#close();
    void this.#started?.stop();
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }
}

// A line that is not a message, such as a greeting, is ignored.
function parseMessage(line: string): JSONRPCMessage | undefined {
  try {
    const message: unknown = JSON.parse(line);
    const isMessage =
      typeof message === "object" &&
      message !== null &&
      "jsonrpc" in message &&
      hasPurpose(message);
    return isMessage ? (message as JSONRPCMessage) : undefined;
  } catch {
    return undefined;
  }
}

function hasPurpose(message: object): boolean {
  if ("method" in message) return typeof message.method === "string";
  return (
    "id" in message && ("result" in message ? isPlainObject(message.result) : "error" in message)
  );
}

function describeEnd(end: ProgramEnd | undefined): string {
  if (end === undefined) return "its connection was closed";
  const notes = end.notes.map((note) => ` (${toPlainText(note, 300)})`).join("");
  if (end.exitCode !== undefined) return `it ended with exit code ${end.exitCode}${notes}`;
  return end.signal === undefined
    ? `it did not start${notes}`
    : `it was killed by ${end.signal}${notes}`;
}

function soon(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(resolve, 500, undefined).unref();
  });
}
