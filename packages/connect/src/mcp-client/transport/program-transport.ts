import type { ProgramEnd, ProgramStart, StartedProgram } from "@haft/computer";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { messageOf } from "../message-of.ts";
import { toPlainText } from "../text/plain-text.ts";
import { createLineSplitter } from "./line-splitter.ts";
import { createMessageScreen, type MessageScreen } from "./message-screen.ts";
import type { ServerTransport } from "./server-transport.ts";

/** What starts programs. */
export interface ProgramStarter {
  startProgram(start: ProgramStart): Promise<StartedProgram>;
}

/** What a program is to be, without where its output goes. */
export type ServerProgram = Omit<ProgramStart, "onOutput" | "onErrors">;

const longestLine = 16 * 1024 * 1024;
const errorTail = 2_000;

/** Speaks with a program over its standard input and output. */
export class ProgramTransport implements ServerTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly screen: MessageScreen = createMessageScreen();
  // By these two the library tells that this is a pipe, on which silence is an answer.
  readonly stderr = null;
  readonly pid = null;
  #started: StartedProgram | undefined;
  #needed = false;
  #misconduct: string | undefined;
  #closed = false;
  #endedItself = false;
  #errors = "";
  readonly #starter: ProgramStarter;
  readonly #program: ServerProgram;

  constructor(starter: ProgramStarter, program: ServerProgram) {
    this.#starter = starter;
    this.#program = program;
  }

  /** The program, as soon as it runs. */
  get started(): StartedProgram | undefined {
    return this.#started;
  }

  async start(): Promise<void> {
    const lines = createLineSplitter(longestLine);
    const decoder = new TextDecoder();
    const started = await this.#starter.startProgram({
      ...this.#program,
      onOutput: (bytes) => {
        if (this.#closed) return undefined;
        const taken = lines.take(bytes);
        if (taken === undefined) this.#end(`it sent a line of more than ${longestLine} bytes`);
        else for (const line of taken) this.#receive(line);
        // Between two pieces others get their turn, however much a server sends.
        return new Promise((resolve) => {
          setImmediate(resolve);
        });
      },
      onErrors: (bytes) => {
        this.#errors = (this.#errors + decoder.decode(bytes, { stream: true })).slice(-errorTail);
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
    if (this.#started === undefined || this.#closed) throw new Error("The server has ended.");
    this.screen.sent(message);
    await this.#started.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#close();
    const started = this.#started;
    if (started === undefined) return;
    // A server that is told that nobody listens any more may want to tidy up.
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
    if (this.#misconduct !== undefined) return this.#misconduct;
    // A program that lives on has not ended; its connection was ended by us.
    const end = await Promise.race([this.#started?.ended, soon()]);
    return this.#explain(describeEnd(end));
  }

  async explainFailure(failure: string): Promise<string> {
    if (this.#misconduct !== undefined) return this.#misconduct;
    const why = this.#endedItself ? await this.explainEnd() : this.#explain(failure);
    return `${why}${this.#describeSolitude()}`;
  }

  // Programs that fetch themselves first, such as npx, wait for the net until nobody waits for them.
  #describeSolitude(): string {
    const isAlone = this.#started?.isolation === "sandbox" && !this.#program.hosts?.length;
    return isAlone
      ? ". It may reach no host; let it reach those that it needs with --allow-host"
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
      : [`it may not reach ${refused.slice(0, 5).join(", ")}: allow that with --allow-host`];
  }

  #receive(line: string): void {
    if (this.#closed || line.trim() === "") return;
    try {
      const message = parseMessage(line);
      const screened = message && this.screen.receive(message);
      if (screened !== undefined) this.onmessage?.(screened);
    } catch (error) {
      this.#end(messageOf(error));
    }
  }

  #end(misconduct: string): void {
    this.#misconduct ??= misconduct;
    this.#close();
    void this.#started?.stop();
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }
}

// A line that is no message, such as a greeting, is passed over.
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
  return "id" in message && ("result" in message ? isRecord(message.result) : "error" in message);
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function describeEnd(end: ProgramEnd | undefined): string {
  if (end === undefined) return "its connection was closed";
  const notes = end.notes.map((note) => ` (${toPlainText(note, 300)})`).join("");
  if (end.exitCode !== undefined) return `it ended with exit code ${end.exitCode}${notes}`;
  return end.signal === undefined
    ? `it never ran${notes}`
    : `it was ended by ${end.signal}${notes}`;
}

function soon(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(resolve, 500, undefined).unref();
  });
}
